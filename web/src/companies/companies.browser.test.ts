import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import { exampleReportList } from '../testing/example-reports.ts'
import { exampleCompany, exampleConnection, exampleSession, exampleSource } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const ekeby = exampleCompany({ role: 'developer' })
const norrsken = exampleCompany({
  company_id: '01900000-0000-7000-8000-000000000002',
  orgnr: '559999-0024',
  name: 'Norrsken Kaffe AB',
  role: 'reader',
})
const readMembership = 'GET /console/companies/{company_id}/membership'
const leave = 'DELETE /console/companies/{company_id}/members/{member_id}'

function membership(
  given: { role?: 'owner' | 'developer' | 'reader'; signed?: number; last?: boolean } = {},
) {
  return {
    role: given.role ?? ('developer' as const),
    added_at: '2026-01-02T08:00:00Z',
    signed_connections: given.signed ?? 0,
    last_owner: given.last ?? false,
  }
}

const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby, norrsken] }),
  'GET /console/companies': () => ({
    companies: [ekeby, norrsken].map((company) => ({
      ...company,
      late_sources: company === ekeby ? 1 : 0,
      last_received_at: '2026-11-20T09:03:00Z',
    })),
  }),
  'GET /console/companies/{company_id}': () => ({
    ...ekeby,
    created_at: '2026-01-01T08:00:00Z',
    owners: [
      { member_id: 'member-8', name: 'Olivia Ägare' },
      { member_id: 'member-9', name: 'Per Norrsken' },
    ],
  }),
  'GET /console/companies/{company_id}/sources': () => ({ sources: [exampleSource()], next_cursor: null }),
  'GET /console/companies/{company_id}/connections': () => ({
    connections: [exampleConnection()],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/reports': () => exampleReportList([]),
  'GET /console/known-metrics': () => ({ metrics: [] }),
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

describe('The companies', () => {
  test('are listed with role and late sources, even if there is only one', async () => {
    let companies = [ekeby, norrsken]
    const { page } = await open('/companies', {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
    })
    await heading(page, 'Companies').waitFor()
    await row(page, 'Ekeby').getByText('1 late source').waitFor()
    expect(await row(page, 'Norrsken').innerText()).toContain('Reader')
    expect(await lookOver(page, 'companies')).toEqual([])
    companies = [norrsken]
    await page.reload()
    await row(page, 'Norrsken').waitFor()
    expect(new URL(page.url()).pathname).toBe('/companies')
  })

  test('of a demo can be created from the company switch, by keyboard', async () => {
    const { page } = await open('/', {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [ekeby] }),
    })
    await page.waitForURL(`**/companies/${ekeby.company_id}/reports`)
    await page.getByRole('button', { name: /Ekeby Handel AB/ }).press('Enter')
    await page.getByRole('link', { name: 'Try with a company of your own' }).press('Enter')
    await heading(page, 'Companies').waitFor()
    await expect
      .poll(() => page.getByLabel('Company name').evaluate((field) => field === document.activeElement))
      .toBe(true)
  })

  test('cannot be created outside a demo', async () => {
    const { page } = await open('/companies', {
      ...replies,
      'GET /console/session': () =>
        exampleSession({ companies: [ekeby], identity: { provider: 'broker', demo: false, signs: true } }),
    })
    await row(page, 'Ekeby').waitFor()
    expect(await page.getByLabel('Company name').count()).toBe(0)
    await page.getByRole('link', { name: 'Ekeby' }).click()
    await heading(page, 'Reports').waitFor()
    await page.getByRole('button', { name: /Ekeby Handel AB/ }).click()
    await page.getByRole('link', { name: 'All companies' }).waitFor()
    expect(await page.getByRole('link', { name: 'Try with a company of your own' }).count()).toBe(0)
  })
})

test('A refused name for a new company is shown at its field and can be corrected', async () => {
  const { page } = await open('/companies', {
    ...replies,
    'POST /console/demo-companies': () =>
      Response.json({ code: 'invalid_argument', message: 'No.', field: 'name' }, { status: 400 }),
  })
  const field = page.getByLabel('Company name')
  await field.fill('A\u200BB')
  await page.getByRole('button', { name: 'Create company' }).click()
  await page.getByText('The name contains invisible characters.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await field.inputValue()).toBe('A\u200BB')
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
})

describe('Leaving a company', () => {
  test('asks first, lists what keeps working, and leads to the remaining companies, by keyboard', async () => {
    let companies = [ekeby, norrsken]
    const { page, calls } = await open('/companies', {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
      [readMembership]: () => membership({ signed: 2 }),
      [leave]: () => {
        companies = [norrsken]
        return undefined
      },
    })
    const menu = page.getByRole('button', { name: /Actions: .*Ekeby/ })
    await menu.press('Enter')
    await page.getByRole('link', { name: 'Leave company' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: /Leave .*Ekeby Handel AB.*\?/ })
    await dialog.getByText('You have 2 signed connections here, which will keep working.').waitFor()
    await dialog.getByText('Your connections from other companies can no longer be used for it.').waitFor()
    expect(await dialog.getByRole('link', { name: 'Show connections' }).getAttribute('href')).toBe(
      `/companies/${ekeby.company_id}/connections?maker=member-1&state=signed`,
    )
    expect(await lookOver(page, 'companies-leave')).toEqual([])

    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(calls.some(({ operation }) => operation === leave)).toBe(false)

    await menu.press('Enter')
    await page.getByRole('link', { name: 'Leave company' }).press('Enter')
    await dialog.getByRole('button', { name: 'Leave' }).press('Enter')
    await row(page, 'Ekeby').waitFor({ state: 'detached' })
    await row(page, 'Norrsken').waitFor()
    expect(new URL(page.url()).href).toBe('https://numera.test/companies')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Companies')
    expect(calls.find(({ operation }) => operation === leave)).toMatchObject({
      path: [ekeby.company_id, 'member-1'],
      csrfToken: 'csrf-1',
    })
  })

  test('that was the only one leaves nothing of it, and explains how to be invited again', async () => {
    let companies = [norrsken]
    const { page } = await open(`/companies?leave=${norrsken.company_id}`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
      [readMembership]: () => membership({ role: 'reader', signed: 1 }),
      [leave]: () => {
        companies = []
        return undefined
      },
    })
    const dialog = page.getByRole('dialog')
    // A reader sees no connections, but may have signed some in an earlier role.
    await dialog.getByText('Ask an owner or a developer to revoke those that should stop.').waitFor()
    expect(await dialog.getByRole('link').count()).toBe(0)
    expect(await dialog.getByText('from other companies').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'You do not belong to a company yet' }).waitFor()
  })

  test('is refused for the last owner, known beforehand or not', async () => {
    const sole = { ...ekeby, role: 'owner' as const }
    let last = true
    const { page } = await open(`/companies?leave=${sole.company_id}`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [sole, norrsken] }),
      [readMembership]: () => membership({ role: 'owner', last }),
      [leave]: () => apiError(409, 'conflict', 'The company must keep an owner.'),
    })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('alert').getByText('Give another member the owner role first.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Leave' }).count()).toBe(0)
    last = false
    await page.reload()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await dialog.getByRole('alert').getByText('Give another member the owner role first.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Leave' }).count()).toBe(0)
  })

  test('that fails keeps the membership and can be retried', async () => {
    let isAway = true
    let companies = [ekeby, norrsken]
    const { page } = await open(`/companies?leave=${ekeby.company_id}`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
      [readMembership]: () => membership(),
      [leave]: () => {
        if (isAway) return Response.error()
        companies = [norrsken]
        return undefined
      },
    })
    const button = page.getByRole('dialog').getByRole('button', { name: 'Leave' })
    await button.click()
    await page.getByRole('alert', { name: 'Could not leave the company' }).waitFor()
    isAway = false
    await button.click()
    await row(page, 'Ekeby').waitFor({ state: 'detached' })
  })

  test('is translated into Swedish, and unusual names do not break the layout', async () => {
    const name = `<b>שלום</b> {{company}} ${'W'.repeat(150)}`
    const { page } = await open(
      `/companies?leave=${ekeby.company_id}`,
      {
        ...replies,
        'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, name }, norrsken] }),
        [readMembership]: () => membership({ signed: 1 }),
      },
      { locale: 'sv-SE' },
    )
    const dialog = page.getByRole('dialog', { name: /^Lämna / })
    await dialog.getByText('Du har 1 underskriven anslutning här, som fortsätter att gälla.').waitFor()
    expect(await dialog.getByRole('heading').textContent()).toContain(name)
    expect(await lookOver(page, 'companies-leave-hostile')).toEqual([])
  })
})

describe.runIf(isFull)('A page without access', () => {
  const sourceId = exampleSource().source_id
  const forDevelopers = [
    'sources',
    'sources/new',
    `sources/${sourceId}`,
    `sources/${sourceId}/metrics`,
    `sources/${sourceId}/change`,
    'connections',
    'connections/new',
    'connections/01900000-0000-7000-8000-0000000000c1',
    'deliveries',
    'deliveries/01900000-0000-7000-8000-0000000000d1',
  ]
  const forOwners = ['members', 'members?part=apps', 'members?part=history']

  test.each([
    ...forDevelopers.map((path) => ['reader', path, 'owners and developers'] as const),
    ...forOwners.map((path) => ['reader', path, 'owners'] as const),
    ...forOwners.map((path) => ['developer', path, 'owners'] as const),
  ])('tells a %s at %s who has access', async (role, path, needed) => {
    const { page, calls } = await open(`/companies/${ekeby.company_id}/${path}`, {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role }] }),
    })
    await heading(page, 'Your role does not have access to this page').waitFor()
    await page.getByText(new RegExp(`You are a ${role} in .* This page is for ${needed}\\.$`)).waitFor()
    for (const name of ['Olivia Ägare', 'Per Norrsken']) {
      await page.getByRole('main').getByRole('listitem').filter({ hasText: name }).waitFor()
    }
    // The page makes no calls that would be refused.
    await expect
      .poll(() => calls.map(({ operation }) => operation).toSorted())
      .toEqual(['GET /console/companies', 'GET /console/companies/{company_id}', 'GET /console/session'])
  })
})

test('A failed sign-out is shown in the side and on the consent page', async () => {
  const { page } = await open('/companies', {
    ...replies,
    'POST /console/sign-out': () => Response.error(),
    'POST /console/authorize': () => apiError(400, 'invalid_argument'),
  })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('alert').getByText('The service could not be reached').waitFor()
  await page.goto('https://numera.test/oauth/authorize?client_id=app-1')
  await page.getByRole('button', { name: 'Not you? Sign out' }).click()
  await page.getByRole('alert').getByText('The service could not be reached').waitFor()
})
