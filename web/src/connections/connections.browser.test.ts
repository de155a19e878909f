import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { at, complete, ekeby, foreign, made, replies } from '../testing/connection-scene.ts'
import { exampleConnection, exampleSession, exampleSource } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

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

  test('show their last deliveries and refused calls, and lead to the quick start of their source', async () => {
    const connection = exampleConnection()
    const { page, calls } = await open(at(`/connections/${connection.connection_id}`), replies)
    const deliveries = page.getByRole('table', { name: 'Last deliveries' })
    await deliveries.getByText('46 accepted, 2 refused').waitFor()
    expect(await deliveries.getByText('another').count()).toBe(0)
    await page.getByRole('table', { name: 'Last refused calls' }).getByText('key_reused').waitFor()
    expect(calls.find(({ operation }) => operation.endsWith('/refused-calls'))?.query).toMatchObject({
      connection: connection.connection_id,
    })
    const link = page.getByRole('link', { name: 'Quick start' })
    expect(await link.getAttribute('href')).toBe(at(`/sources/${connection.source!.source_id}/start`))
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
})

describe('Signing a connection', () => {
  const sign = { name: 'Sign with electronic identity' }

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
