import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import { at, complete, ekeby, expiring, id, made, norrsken, replies } from '../testing/connection-scene.ts'
import { exampleConnection, exampleOrder, exampleSession, exampleSource } from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('The connections', () => {
  test('of another company that expire soon are not announced here', async () => {
    const { page } = await open(at('/connections'), {
      ...replies,
      'GET /console/companies/{company_id}/connections': () => ({
        connections: [{ ...expiring, company: norrsken, source: null }, exampleConnection()],
        next_cursor: null,
      }),
    })
    await page.getByText('Expires in 24 days').waitFor()
    expect(await page.getByRole('link', { name: 'Create replacement' }).count()).toBe(0)
  })

  test('are sorted by state, those that need attention first', async () => {
    const revoked = exampleConnection({ connection_id: id(5), name: 'Old till', state: 'revoked' })
    const { page } = await open(at('/connections?sort=state'), {
      ...replies,
      'GET /console/companies/{company_id}/connections': () => ({
        connections: [revoked, exampleConnection(), expiring, made],
        next_cursor: null,
      }),
    })
    await page.getByRole('rowheader', { name: /Old till/ }).waitFor()
    expect(await page.getByRole('rowheader').getByRole('link').allTextContents()).toEqual([
      'Marketplace weekly',
      'Ledger before',
      'Ledger nightly',
      'Old till',
    ])
  })
})

describe('A new connection', () => {
  test('acts on further companies only if it is not bound to a source', async () => {
    const { page, sentTo } = await open(at('/connections/new'), replies)
    await page.getByLabel('Name').fill('Group pack')
    await page.getByRole('checkbox', { name: 'Read' }).check()
    await page.getByLabel('Source', { exact: true }).selectOption('any')
    await page.getByRole('checkbox', { name: 'Norrsken Kaffe AB' }).check()
    await page.getByText(/for .*Ekeby Handel AB.* and .*Norrsken Kaffe AB/).waitFor()
    await page.getByLabel('Source', { exact: true }).selectOption('Ledger')
    expect(await page.getByRole('checkbox', { name: 'Norrsken Kaffe AB' }).count()).toBe(0)
    await page.getByLabel('Source', { exact: true }).selectOption('any')
    await page.getByRole('button', { name: 'Create and sign' }).click()
    await page.getByRole('blockquote').waitFor()
    expect(sentTo('POST /console/companies/{company_id}/connections')).toMatchObject([
      { source_id: null, further_company_ids: [norrsken.company_id] },
    ])
  })

  test('warns after a quick start of the other kind, and about webhook sources', async () => {
    const { page } = await open(at(`/connections/new?source=s-hook&kind=sandbox`), replies)
    await page.getByText(/Hook.* does not accept pushes/).waitFor()
    expect(await page.getByRole('radio', { name: /Sandbox/ }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Production' }).check()
    await page.getByText('You came from a quick start that sends test data.').waitFor()
  })

  test('that fails says why, keeps the input, and asks before it is left', async () => {
    const { page } = await open(at(`/connections/new?source=${exampleSource().source_id}`), {
      ...replies,
      'POST /console/companies/{company_id}/connections': () => apiError(409, 'conflict', 'At most 500.'),
    })
    await page.getByLabel('Name').fill('One more')
    await page.getByRole('button', { name: 'Create and sign' }).click()
    await page
      .getByRole('alert', { name: 'Could not create the connection' })
      .getByText('At most 500.')
      .waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('One more')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  })

  test('with invisible characters in its name is not sent, and the field says so', async () => {
    const { page, calls } = await open(at(`/connections/new?source=${exampleSource().source_id}`), replies)
    await page.getByLabel('Name').fill('Ledger \u202Egniyap')
    await page.getByRole('button', { name: 'Create and sign' }).click()
    await page.getByRole('alert').getByText('invisible characters').waitFor()
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
    expect(calls.some(({ operation }) => operation.startsWith('POST'))).toBe(false)
  })

  test('shows its end in the company’s time zone', async () => {
    const far = { ...ekeby, time_zone: 'Pacific/Kiritimati' }
    const { page } = await open(at('/connections/new'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [far] }),
    })
    // 21 November has just begun there.
    await page.getByText('until 21 November 2027.').waitFor()
  })

  test('with a static credential shows it before signing, and asks before it is left', async () => {
    const { page } = await open(at(`/connections/new?source=${exampleSource().source_id}`), {
      ...replies,
      'POST /console/companies/{company_id}/connections': () => ({
        connection: { ...made, credential_kind: 'static', client_id: null },
        credential: 'nsk_1234',
      }),
      'GET /console/companies/{company_id}/connections/{connection_id}': () => ({
        ...made,
        credential_kind: 'static',
        client_id: null,
      }),
    })
    await page.getByLabel('Name').fill('Marketplace weekly')
    await page.getByRole('radio', { name: /Static credential/ }).check()
    await page.getByRole('button', { name: 'Create and show credential' }).click()
    await page.getByRole('heading', { level: 1, name: 'Save the credential now' }).waitFor()
    expect(await page.getByLabel('Credential, shown once').inputValue()).toBe('nsk_1234')
    await page.getByRole('link', { name: 'Connections' }).first().click()
    await page.getByRole('dialog', { name: 'Leave without the secret?' }).getByText('Stay').click()
    await page.getByRole('checkbox', { name: /I have saved the credential/ }).check()
    await page.getByRole('button', { name: 'Continue to sign' }).click()
    await page.getByRole('blockquote').waitFor()
  })
})

describe('Signing a connection', () => {
  const sign = { name: 'Sign with electronic identity' }

  test('continues after signing in again when the session has ended', async () => {
    let isSignedIn = true
    let csrf_token = 'csrf-1'
    const { page, calls } = await open(at(`/connections/${made.connection_id}`), {
      ...replies,
      'GET /console/session': () =>
        isSignedIn ? exampleSession({ companies: [ekeby], csrf_token }) : signedOut(),
      'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect': ({
        csrfToken,
      }) => {
        if (!isSignedIn) return signedOut()
        return csrfToken === 'csrf-2' ? complete() : { state: 'pending' }
      },
      'POST /console/sign-in': () => exampleOrder({ order_id: 'order-2' }),
      'POST /console/sign-in/{order_id}/collect': () => ({ state: isSignedIn ? 'complete' : 'pending' }),
    })
    await page.getByRole('button', sign).click()
    await page.getByRole('blockquote').waitFor()
    isSignedIn = false
    await page
      .getByRole('dialog', { name: 'Sign in' })
      .getByRole('button', sign)
      .or(page.getByRole('button', { name: 'Sign in with electronic identity' }))
      .click()
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor()
    isSignedIn = true
    csrf_token = 'csrf-2'
    await page.getByRole('heading', { level: 1, name: 'Save the secret now' }).waitFor()
    expect(
      calls.filter(({ operation }) => operation.endsWith('/connections/{connection_id}/sign')),
    ).toHaveLength(1)
  })

  test('that was refused is no error, and can be started again', async () => {
    const { page, sentTo } = await open(at(`/connections/${made.connection_id}`), {
      ...replies,
      'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect': () => ({
        state: 'failed',
        reason: 'refused',
      }),
    })
    await page.getByRole('button', sign).click()
    await page.getByRole('alert', { name: 'Could not sign the connection' }).waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    await expect
      .poll(() => again.evaluate((button) => button === document.activeElement), { timeout: 10_000 })
      .toBe(true)
    expect(await page.getByRole('button', sign).count()).toBe(0)
    await again.press('Enter')
    await expect
      .poll(() => sentTo('POST /console/companies/{company_id}/connections/{connection_id}/sign').length)
      .toBe(2)
  })
})

test.each([
  ['connections', at('/connections')],
  ['connection-new', at('/connections/new')],
  ['connection', at(`/connections/${exampleConnection().connection_id}`)],
  ['connection-made', at(`/connections/${made.connection_id}`)],
  ['connection-rotate', at(`/connections/${exampleConnection().connection_id}?ask=rotate`)],
])('The page %s fits on a phone and is accessible', async (name, path) => {
  const { page } = await open(path, replies)
  await page.getByRole('main').getByRole('button').first().waitFor({ state: 'attached' })
  expect(await lookOver(page, name)).toEqual([])
})
