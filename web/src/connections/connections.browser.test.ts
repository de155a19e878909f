import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import {
  exampleCompany,
  exampleConnection,
  exampleOrder,
  exampleSession,
  exampleSource,
} from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const ekeby = exampleCompany()
const norrsken = exampleCompany({
  company_id: '01900000-0000-7000-8000-000000000002',
  orgnr: '559999-0024',
  name: 'Norrsken Kaffe AB',
  role: 'developer',
})
const at = (path: string): string => `/companies/${ekeby.company_id}${path}`
const id = (last: number): string => `01900000-0000-7000-8000-0000000000c${last}`

const made = exampleConnection({
  connection_id: id(2),
  name: 'Marketplace weekly',
  state: 'unsigned',
  signature_id: null,
  signed_at: null,
  signed_with: null,
  expires_at: null,
  expires_in_days: null,
  last_used_at: null,
  credentials: [],
})
const signed = exampleConnection({ connection_id: id(2), name: 'Marketplace weekly' })
const expiring = exampleConnection({
  connection_id: id(3),
  name: 'Ledger before',
  expires_at: '2026-12-14T09:00:00Z',
  expires_in_days: 24,
  expires_soon: true,
})
const foreign = exampleConnection({
  connection_id: id(4),
  name: 'Group report',
  company: norrsken,
  source: null,
  further_companies: [ekeby],
  created_by: { member_id: 'member-2', name: 'Nils Norr', is_member: true },
})
const all = [exampleConnection(), made, expiring, foreign]

const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby, norrsken] }),
  'GET /console/companies/{company_id}/sources': () => ({
    sources: [exampleSource(), exampleSource({ source_id: 's-hook', name: 'Hook', channel: 'webhook' })],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/connections': () => ({ connections: all, next_cursor: null }),
  'GET /console/companies/{company_id}/connections/{connection_id}': ({ path }) =>
    all.find(({ connection_id }) => connection_id === path[1])!,
  'POST /console/companies/{company_id}/connections': () => ({ connection: made }),
  'POST /console/companies/{company_id}/connections/{connection_id}/sign': () =>
    exampleOrder({ visible_text: 'I sign this service connection of Numera.' }),
  'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect': () => ({
    state: 'pending',
  }),
}

const complete = () => ({ state: 'complete' as const, secret: 'ncs_1234', connection: signed })

describe('The connections', () => {
  test('list at the top those that need a replacement, with a link to the filled-in form', async () => {
    const { page } = await open(at('/connections'), replies)
    await page.getByRole('note', { name: /Ledger before.* expires in 24 days/ }).waitFor()
    await page.getByRole('link', { name: 'Create replacement' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'New connection' }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Ledger before')
    expect(await page.getByRole('checkbox', { name: 'Send' }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Read' }).isChecked()).toBe(false)
  })

  test('are filtered by the address, and the filters update it', async () => {
    const { page } = await open(at('/connections?state=unsigned'), replies)
    const names = () => page.getByRole('rowheader').getByRole('link').allTextContents()
    await page.getByRole('rowheader', { name: /Marketplace weekly/ }).waitFor()
    expect(await names()).toEqual(['Marketplace weekly'])
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Expiring soon')
    await page.getByRole('rowheader', { name: /Ledger before/ }).waitFor()
    expect(await names()).toEqual(['Ledger before'])
    expect(page.url()).toContain('state=expiring')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('rowheader', { name: /Group report/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Name' }).fill('nightly')
    await expect.poll(names).toEqual(['Ledger nightly'])
    await page.getByRole('searchbox', { name: 'Name' }).fill('nothing like it')
    await page.getByText('No connections match the filters.').waitFor()
  })

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

  test('of another company can be removed by owners only', async () => {
    const path = at(`/connections/${foreign.connection_id}`)
    const { page, sentTo } = await open(path, {
      ...replies,
      'POST /console/companies/{company_id}/connections/{connection_id}/release': () => undefined,
    })
    expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Remove company' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove company' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
    expect(sentTo('POST /console/companies/{company_id}/connections/{connection_id}/release')).toEqual([{}])

    const asDeveloper = await open(path, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role: 'developer' }] }),
    })
    await asDeveloper.page.getByText('This connection belongs to').waitFor()
    expect(await asDeveloper.page.getByRole('button', { name: 'Remove company' }).count()).toBe(0)
  })
})

describe('A new connection', () => {
  test('is created and signed in one step, in the page’s language, and its secret is shown once', async () => {
    let answered = false
    const { page, sentTo } = await open(
      at('/connections/new'),
      {
        ...replies,
        'POST /console/companies/{company_id}/connections/{connection_id}/sign/{order_id}/collect': () =>
          answered ? complete() : { state: 'pending' },
      },
      { locale: 'sv-SE' },
    )
    await page.getByLabel('Namn').fill('Marketplace weekly')
    await page.getByRole('checkbox', { name: 'Skicka' }).check()
    await page.getByLabel('Källa', { exact: true }).selectOption('Ledger')
    await page
      .getByText(/får skicka leveranser till .*Ledger.* för .*Ekeby Handel AB.* \(559999-0016\)/)
      .waitFor()
    await page.getByRole('button', { name: 'Skapa och skriv under' }).click()
    const text = page.getByRole('blockquote')
    await text.waitFor()
    expect(await text.getAttribute('lang')).toBe('sv')
    expect(sentTo('POST /console/companies/{company_id}/connections')).toEqual([
      {
        name: 'Marketplace weekly',
        source_id: exampleSource().source_id,
        permissions: ['sources.ingest'],
        kind: 'production',
        credential_kind: 'client',
      },
    ])
    expect(sentTo('POST /console/companies/{company_id}/connections/{connection_id}/sign')).toEqual([
      {
        language: 'sv',
        // Even if it was created on another page.
        return_to: at(`/connections/${made.connection_id}`),
        device: 'other',
      },
    ])
    answered = true
    await page.getByRole('heading', { level: 1, name: 'Spara hemligheten nu' }).waitFor()
    expect(await page.getByLabel('Hemlighet, visas en gång').inputValue()).toBe('ncs_1234')

    const done = page.getByRole('button', { name: 'Klar' })
    expect(await done.isDisabled()).toBe(true)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Ladda ner .env' }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toBe(
      "NUMERA_URL='https://numera.test'\nNUMERA_CLIENT_ID='ncl_1'\nNUMERA_CLIENT_SECRET='ncs_1234'\n",
    )
    await page.getByRole('checkbox', { name: /Jag har sparat hemligheten/ }).check()
    await done.click()
    await page.getByRole('heading', { level: 1, name: 'Marketplace weekly' }).waitFor()
    expect(await page.getByText('ncs_1234').count()).toBe(0)
  })

  test('that is empty lists all problems, and sends nothing', async () => {
    const { page, calls } = await open(at('/connections/new'), replies)
    await page.getByRole('button', { name: 'Create and sign' }).click()
    const summary = page.getByRole('alert')
    expect(await summary.getByRole('link').allTextContents()).toEqual([
      'Enter a name.',
      'Choose at least one permission.',
      'Choose a source, or any source.',
    ])
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true)
    await summary.getByRole('link', { name: 'Enter a name' }).click()
    expect(await page.getByLabel('Name').evaluate((element) => element === document.activeElement)).toBe(true)
    expect(calls.some(({ operation }) => operation.startsWith('POST'))).toBe(false)
    expect(await lookOver(page, 'connection-new-faults')).toEqual([])
  })

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

  test('does not show a credential again that was left unsaved', async () => {
    const unsigned = { ...made, credential_kind: 'static', client_id: null } as const
    const { page } = await open(at(`/connections/new?source=${exampleSource().source_id}`), {
      ...replies,
      'POST /console/companies/{company_id}/connections': () => ({
        connection: unsigned,
        credential: 'nsk_1234',
      }),
      'GET /console/companies/{company_id}/connections/{connection_id}': () => unsigned,
    })
    await page.getByLabel('Name').fill('Marketplace weekly')
    await page.getByRole('radio', { name: /Static credential/ }).check()
    await page.getByRole('button', { name: 'Create and show credential' }).click()
    await page.getByLabel('Credential, shown once').waitFor()
    await page.getByRole('link', { name: 'Connections' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page
      .getByRole('rowheader', { name: /Marketplace weekly/ })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { level: 1, name: 'Marketplace weekly' }).waitFor()
    expect(await page.content()).not.toContain('nsk_1234')
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

  test('is for its creator only, and others see who that is', async () => {
    const other = { ...made, created_by: { member_id: 'member-2', name: 'Johan Berg', is_member: true } }
    const { page } = await open(at(`/connections/${made.connection_id}`), {
      ...replies,
      'GET /console/companies/{company_id}/connections/{connection_id}': () => other,
    })
    await page.getByText(/Only .*Johan Berg.*, who created it, can sign it/).waitFor()
    expect(await page.getByRole('button', sign).count()).toBe(0)
  })
})

describe('A signed connection', () => {
  const path = at(`/connections/${exampleConnection().connection_id}`)

  test('is rotated with the chosen overlap, and the new secret is shown once', async () => {
    const rotated = exampleConnection({ previous_credential_ends_at: '2026-11-27T10:00:00Z' })
    const { page, sentTo } = await open(path, {
      ...replies,
      'POST /console/companies/{company_id}/connections/{connection_id}/rotate': () => ({
        connection: rotated,
        credential: 'ncs_new',
      }),
      'GET /console/companies/{company_id}/connections/{connection_id}': () => rotated,
    })
    await page.getByRole('button', { name: 'Rotate' }).click()
    const dialog = page.getByRole('dialog', { name: /Rotate/ })
    await expect.poll(() => dialog.getByRole('option').count()).toBe(8)
    await dialog.getByLabel('Old secret').selectOption('Valid for 7 days more')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('heading', { level: 1, name: 'Save the secret now' }).waitFor()
    expect(await page.getByLabel('Secret, shown once').inputValue()).toBe('ncs_new')
    await page.getByText('The old one is valid until 27 Nov 2026, 11:00.').waitFor()
    expect(sentTo('POST /console/companies/{company_id}/connections/{connection_id}/rotate')).toEqual([
      { overlap_hours: 168 },
    ])
  })

  test('is revoked only after its name is typed', async () => {
    const { page, sentTo } = await open(`${path}?ask=revoke`, {
      ...replies,
      'POST /console/companies/{company_id}/connections/{connection_id}/revoke': () =>
        exampleConnection({
          state: 'revoked',
          revoked_at: '2026-11-20T10:00:00Z',
          revoked_by: { member_id: 'member-1', name: 'Olivia Ägare' },
        }),
      'GET /console/companies/{company_id}/connections/{connection_id}': () =>
        sentTo('POST /console/companies/{company_id}/connections/{connection_id}/revoke').length === 0
          ? exampleConnection()
          : exampleConnection({ state: 'revoked', revoked_at: '2026-11-20T10:00:00Z' }),
    })
    const dialog = page.getByRole('dialog', { name: /Revoke/ })
    const field = dialog.getByLabel('Enter the name to revoke it')
    await field.fill('Ledger')
    await field.press('Enter')
    await dialog.getByText('Enter the name exactly').waitFor()
    expect(sentTo('POST /console/companies/{company_id}/connections/{connection_id}/revoke')).toEqual([])
    await field.fill(' Ledger  nightly ')
    await dialog.getByRole('button', { name: 'Revoke connection' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Revoked').first().waitFor()
    await page
      .getByRole('status')
      .getByText(/Ledger nightly.* is revoked/)
      .waitFor({ state: 'attached' })
    // The button that opened the dialog is gone.
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Ledger nightly')
    expect(await page.getByRole('button', { name: 'Rotate' }).count()).toBe(0)
  })
})

test.runIf(isFull).each([
  ['connections', at('/connections')],
  ['connection-new', at('/connections/new')],
  ['connection-made', at(`/connections/${made.connection_id}`)],
  ['connection-rotate', at(`/connections/${exampleConnection().connection_id}?ask=rotate`)],
])('The page %s fits on a phone and is accessible', async (name, path) => {
  const { page } = await open(path, replies)
  await page.getByRole('main').getByRole('button').first().waitFor({ state: 'attached' })
  expect(await lookOver(page, name)).toEqual([])
})
