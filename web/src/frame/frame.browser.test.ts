import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { lookOver, painted, sizes } from '../../../testing/browser/screens.ts'
import { apiError, type Call, type Replies } from '../testing/api-stub.ts'
import { exampleCard, exampleReportList } from '../testing/example-reports.ts'
import {
  exampleApp,
  exampleCompany,
  exampleConnection,
  exampleDelivery,
  exampleOrder,
  exampleSession,
  exampleSource,
} from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import { companyReplies } from '../testing/company-replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const ekeby = exampleCompany()
const norrsken = exampleCompany({
  company_id: '01900000-0000-7000-8000-000000000002',
  orgnr: '559999-0024',
  name: 'Norrsken Kaffe AB',
  role: 'reader',
})
const at = (path: string, { company_id } = ekeby): string => `/companies/${company_id}${path}`

/** The owners, whom every member sees. */
const owners = { owners: [{ member_id: 'member-9', name: 'Per Norrsken' }] }

const replies: Replies = {
  ...companyReplies,
  'GET /console/session': () => exampleSession({ companies: [ekeby, norrsken] }),
  'GET /console/companies/{company_id}': () => ({
    ...ekeby,
    created_at: '2026-01-01T08:00:00Z',
    ...owners,
  }),
  'GET /console/companies': () => ({
    companies: [ekeby, norrsken].map((company) => ({
      ...company,
      late_sources: 0,
      last_received_at: '2026-11-20T09:03:00Z',
    })),
  }),
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const field = (page: Page) => page.getByRole('searchbox', { name: /Page, source, connection/ })
const focused = (page: Page): Promise<string | null> => page.locator(':focus').textContent()
const sideLinks = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allTextContents()

describe('The side', () => {
  const all = ['Reports', 'Sources', 'Connections', 'Deliveries', 'Members']
  const own = ['Your apps', 'Your signatures', 'Your sessions']

  test.each([
    ['owner', [...all, ...own]],
    ['developer', [...all.slice(0, 4), ...own]],
    ['reader', ['Reports', ...own]],
  ] as const)('shows an %s only what the role has access to', async (role, links) => {
    const company = { ...ekeby, role }
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [company] }),
    })
    await heading(page, 'Reports').waitFor()
    expect(await sideLinks(page)).toEqual(links)
  })

  test('shows the number of late sources at Reports', async () => {
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/companies': () => ({
        companies: [
          { ...ekeby, late_sources: 1, last_received_at: null },
          { ...norrsken, late_sources: 5, last_received_at: null },
        ],
      }),
    })
    await page.getByRole('navigation', { name: 'Sections' }).getByText('1 late').waitFor()
    expect((await sideLinks(page))[0]).toBe('Reports1 late')
  })

  test('says when signing out failed', async () => {
    const { page } = await open(at('/reports'), {
      ...replies,
      'POST /console/sign-out': () => apiError(503, 'unavailable'),
    })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('region', { name: 'You' }).getByRole('alert').waitFor()
    await heading(page, 'Reports').waitFor()
  })

  test('marks the current part, names it in the tab, and focuses its heading', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await heading(page, 'Sources').waitFor()
    await expect.poll(() => focused(page)).toBe('Sources')
    expect(await page.title()).toBe('Sources · Numera')
    expect(await page.getByRole('link', { name: 'Sources', exact: true }).getAttribute('aria-current')).toBe(
      'page',
    )
    await page.goBack()
    await heading(page, 'Reports').waitFor()
  })

  test('switches to the same part of another company, or to its reports if the role has no access', async () => {
    const owned = { ...norrsken, role: 'owner' as const }
    let companies = [ekeby, owned]
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
    })
    await page.getByRole('button', { name: /Ekeby Handel AB/ }).click()
    await page.getByRole('link', { name: /Norrsken/ }).click()
    await page.waitForURL(`**${at('/sources', norrsken)}`)
    await heading(page, 'Sources').waitFor()

    companies = [ekeby, norrsken]
    await page.goto(`https://numera.test${at('/sources')}`)
    await page.getByRole('button', { name: /Ekeby Handel AB/ }).click()
    await page.getByRole('link', { name: /Norrsken/ }).click()
    await page.waitForURL(`**${at('/reports', norrsken)}`)
  })

  test('finds one of many companies by its name or its number', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      exampleCompany({
        company_id: `01900000-0000-7000-8000-0000000001${String(index).padStart(2, '0')}`,
        name: `Company ${index}`,
        orgnr: `5599${String(index).padStart(2, '0')}-0000`,
      }),
    )
    const { page } = await open(at('/reports', many[0]), {
      ...replies,
      'GET /console/session': () =>
        exampleSession({ companies: many, identity: { provider: 'broker', demo: false, signs: true } }),
    })
    await page.getByRole('button', { name: /Company 0/ }).click()
    const field = page.getByRole('searchbox', { name: 'Name or number' })
    await field.fill('559917')
    const list = page.getByRole('group', { name: 'Switch company' })
    await expect.poll(() => list.getByRole('link').count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('Company 17')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${at('/reports', many[17])}`)
  })

  test('is a drawer on a phone, which traps and restores the focus', async () => {
    const { page } = await open(at('/reports'), replies, { viewport: { width: 390, height: 844 } })
    await heading(page, 'Reports').waitFor()
    expect(await page.getByRole('navigation', { name: 'Sections' }).count()).toBe(0)
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await drawer.waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await expect.poll(() => menu.evaluate((element) => element.matches(':focus'))).toBe(true)
    await menu.click()
    await drawer.getByRole('link', { name: 'Members' }).click()
    await heading(page, 'Members').waitFor()
    expect(await drawer.count()).toBe(0)
  })

  test('keeps the chosen colours over the system’s', async () => {
    const { page } = await open(at('/reports'), replies, { colorScheme: 'light' })
    const paper = (): Promise<string> =>
      page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    await page.getByRole('button', { name: 'Colours: system' }).click()
    await page.getByRole('button', { name: 'Colours: light' }).click()
    await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
    expect(await paper()).toBe('rgb(17, 22, 24)')
    await page.reload()
    await page.getByRole('button', { name: 'Colours: dark' }).click()
    expect(await paper()).toBe('rgb(245, 244, 240)')
  })

  test('has a skip link', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.locator(':focus').getAttribute('id')).toBe('content')
  })
})

describe('An address', () => {
  test('of the start page leads to the only company’s reports, a list of companies, or how to be invited', async () => {
    let companies = [ekeby]
    const { page } = await open('/', {
      ...replies,
      'GET /console/session': () => exampleSession({ companies }),
    })
    await page.waitForURL(`**${at('/reports')}`)
    companies = [ekeby, norrsken]
    await page.goto('https://numera.test/')
    await page.getByRole('main').getByRole('link', { name: 'Norrsken Kaffe AB' }).waitFor()
    companies = []
    await page.reload()
    await page.getByRole('heading', { name: 'You do not belong to a company yet' }).waitFor()
  })

  test('without access for the role names the roles that have it', async () => {
    const { page, calls } = await open(at('/members', norrsken), replies)
    await heading(page, 'Your role does not have access to this page').waitFor()
    await page.getByText(/You are a reader in .Norrsken Kaffe AB.. This page is for owners./).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Per Norrsken' }).waitFor()
    expect(calls.some(({ operation }) => operation === 'GET /console/companies/{company_id}/members')).toBe(
      false,
    )
    await page.getByRole('main').getByRole('link', { name: 'Go to reports' }).click()
    await heading(page, 'Reports').waitFor()
  })

  test('of a foreign company reveals nothing about it', async () => {
    const { page } = await open('/companies/01900000-0000-7000-8000-00000000ffff/sources', replies)
    await heading(page, 'You are not a member of this company').waitFor()
  })

  test.each(['/nowhere', at('/nowhere'), '/apps/nowhere'])(
    'that is unknown (%s) has a page',
    async (path) => {
      const { page } = await open(path, replies)
      await heading(page, 'Page not found').waitFor()
      await page.getByRole('link', { name: 'Go to the start page' }).waitFor()
    },
  )

  test('may end in a slash', async () => {
    const { page } = await open(`${at('/sources')}/`, replies)
    await heading(page, 'Sources').waitFor()
    expect(await page.getByRole('link', { name: 'Sources', exact: true }).getAttribute('aria-current')).toBe(
      'page',
    )
  })

  test('contains how a list is sorted, and drops unknown values', async () => {
    const { page } = await open(`${at('/sources')}?sort=-name&evil=<b>`, replies)
    const names = page.getByRole('main').getByRole('rowheader').getByRole('link')
    await names.nth(1).waitFor()
    expect(await names.allTextContents()).toEqual(['Mobile app', 'Ledger'])
    await page.getByRole('button', { name: 'Source', exact: true }).click()
    await expect.poll(() => names.allTextContents()).toEqual(['Ledger', 'Mobile app'])
    expect(new URL(page.url()).search).toBe('?sort=name')
  })
})

describe('Search', () => {
  test('finds by name, moves through the results with the arrow keys, and opens one', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('le')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('link', { name: /Ledger nightly/ }).waitFor()
    await dialog.getByRole('status').getByText('4 results. Press Enter to open the first.').waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('Mobile app')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('Ledger nightly')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('RevenueLedger')
    // Typing a letter continues the text.
    await page.keyboard.press('d')
    expect(await field(page).inputValue()).toBe('led')
    await page.keyboard.press('Enter')
    await heading(page, 'Ledger').waitFor()
    expect(await dialog.count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe(at(`/sources/${exampleSource().source_id}`))
  })

  test('finds a metric by its name and by its source, for readers too, and opens its report', async () => {
    const { page } = await open(at('/', norrsken), {
      ...replies,
      'GET /console/companies/{company_id}/reports': () =>
        exampleReportList([exampleCard(), exampleCard({ source_id: 'till-1', source_name: 'Till' })]),
    })
    await heading(page, 'Reports').waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('revenue till')
    const found = page.getByRole('dialog').getByRole('region', { name: 'Metrics' }).getByRole('link')
    await found.waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Revenue').waitFor()
    expect(new URL(page.url()).pathname).toBe(at('/reports/till-1/revenue', norrsken))
  })

  test('opens no tab without a result', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('nothing is called that')
    await page.getByRole('dialog').getByText('Nothing found.').first().waitFor()
    await page.keyboard.press('Control+Enter')
    await field(page).press('x')
    expect(page.context().pages()).toHaveLength(1)
  })

  test('opens a delivery by its id', async () => {
    const { page } = await open(at('/reports'), replies)
    await page.getByRole('button', { name: /^Search/ }).click()
    await field(page).fill(exampleDelivery().artifact_id)
    await page.keyboard.press('Enter')
    await heading(page, 'Delivery').waitFor()
    await page.getByText('2 rows were refused. The other 46 count.').waitFor()
  })

  test('closes with Escape and restores the focus', async () => {
    const { page } = await open(at('/reports'), replies)
    const button = page.getByRole('button', { name: /^Search/ })
    await button.click()
    await field(page).fill('nothing is called that')
    await page.getByRole('dialog').getByText('Nothing found.').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  test('shows a reader only what the role has access to', async () => {
    const { page, calls } = await open(at('/reports', norrsken), replies)
    await page.getByRole('button', { name: /^Search/ }).click()
    await field(page).fill('e')
    await page.getByRole('dialog').getByRole('link', { name: 'Reports' }).waitFor()
    expect(await page.getByRole('dialog').getByRole('link', { name: 'Sources' }).count()).toBe(0)
    expect(calls.some(({ operation }) => operation.endsWith('/connections'))).toBe(false)
  })

  test('is listed under ?, which is ignored in text fields', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await field(page).press('?')
    expect(await field(page).inputValue()).toBe('?')
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0)
  })
})

describe('A session', () => {
  test('that ends keeps the page: signing in on top of it continues', async () => {
    let isSignedIn = true
    let csrf_token = 'csrf-1'
    const typed = Promise.withResolvers<void>()
    const { page, calls } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () =>
        isSignedIn ? exampleSession({ companies: [ekeby], csrf_token }) : signedOut(),
      'GET /console/companies/{company_id}/connections': async () => {
        if (isSignedIn) return { connections: [exampleConnection()], next_cursor: null }
        // Signing in takes the focus, so later keys are ignored.
        await typed.promise
        return signedOut()
      },
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': () => ({ state: isSignedIn ? 'complete' : 'pending' }),
    })
    await heading(page, 'Reports').waitFor()
    isSignedIn = false
    await page.keyboard.press('Control+k')
    const written = page.getByRole('searchbox', { name: /Page, source/ })
    await written.fill('nightly')
    typed.resolve()
    const over = page.getByRole('dialog', { name: 'Sign in' })
    await over.getByText('What you entered is still here.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await over.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Identify yourself')
    isSignedIn = true
    csrf_token = 'csrf-2'
    await page.getByRole('dialog', { name: 'Identify yourself' }).waitFor({ state: 'detached' })
    // Calls that failed without a session have succeeded now.
    await page.getByRole('link', { name: /Ledger nightly/ }).waitFor()
    expect(await written.inputValue()).toBe('nightly')
    expect(calls.filter(({ operation }) => operation === 'POST /console/sign-in')).toHaveLength(1)
  })

  test('that ended hides the figures while signing in again, and restores the focus', async () => {
    let isSignedIn = true
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': () => {
        isSignedIn = true
        return { state: 'complete' }
      },
    })
    const figure = page.getByText(/12,345,678,901/).first()
    await figure.waitFor()
    await page.getByRole('link', { name: 'Sources' }).focus()
    isSignedIn = false
    // As if the person returned to the page.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    const over = page.getByRole('dialog', { name: 'Sign in' })
    await over.waitFor()
    expect(await figure.isVisible()).toBe(false)
    expect(await page.locator('body').ariaSnapshot()).not.toMatch(/12,345|Ekeby|Olivia/)
    await over.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await over.waitFor({ state: 'detached' })
    await figure.waitFor()
    await expect.poll(() => focused(page)).toBe('Sources')
  })

  test('that is ended on one page empties the others without a message', async () => {
    let isSignedIn = true
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sign-out': () => {
        isSignedIn = false
        return undefined
      },
    })
    await page
      .getByText(/12,345,678,901/)
      .first()
      .waitFor()
    const other = await page.context().newPage()
    await other.goto(new URL(at('/sources'), page.url()).href)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/12,345|Ekeby|You have been signed out/)
    expect(new URL(page.url()).pathname).toBe(at('/reports'))
  })

  test('has one language on all pages', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    const other = await page.context().newPage()
    await other.goto(new URL(at('/sources'), page.url()).href)
    await other.getByRole('button', { name: 'Svenska' }).click()
    await heading(page, 'Rapporter').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('sv')
  })

  test('of someone else starts without anything of the previous one', async () => {
    let session = exampleSession({ companies: [ekeby] })
    const { page } = await open(at('/connections'), {
      ...replies,
      'GET /console/session': () => session,
      'GET /console/companies/{company_id}/last-deliveries': () => apiError(403, 'permission_denied'),
    })
    await page.getByRole('link', { name: 'Ledger nightly' }).waitFor()
    session = exampleSession({
      member_id: 'member-2',
      name: 'Lena Läsare',
      csrf_token: 'csrf-2',
      companies: [norrsken],
    })
    // This page's token is no longer valid.
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await heading(page, 'You are not a member of this company').waitFor()
    await page.getByText('Lena Läsare').waitFor()
    expect(await sideLinks(page)).toEqual(['Reports', 'Your apps', 'Your signatures', 'Your sessions'])
  })

  test('whose role was removed meanwhile says so on the next call', async () => {
    let role: 'developer' | 'reader' = 'developer'
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role }] }),
      'GET /console/companies/{company_id}/connections': () => apiError(403, 'permission_denied'),
    })
    await heading(page, 'Reports').waitFor()
    role = 'reader'
    await page.getByRole('link', { name: 'Connections' }).click()
    await heading(page, 'Your role does not have access to this page').waitFor()
  })

  test('is ended from the side, and Back shows nothing of it', async () => {
    let isSignedIn = true
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sign-out': () => {
        isSignedIn = false
        return undefined
      },
    })
    await page.getByRole('link', { name: 'Ledger' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    expect(await page.getByText('You have been signed out').count()).toBe(0)
    await page.goBack()
    await heading(page, 'Sign in').waitFor()
    expect(await page.getByText('Ledger').count()).toBe(0)
  })

  test('is required at the opened address, which is shown afterwards', async () => {
    let isSignedIn = false
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/session': () => (isSignedIn ? exampleSession({ companies: [ekeby] }) : signedOut()),
      'POST /console/sign-in': () => exampleOrder(),
      'POST /console/sign-in/{order_id}/collect': () => {
        isSignedIn = true
        return { state: 'complete' }
      },
    })
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await heading(page, 'Sources').waitFor()
    expect(new URL(page.url()).pathname).toBe(at('/sources'))
  })
})

describe('Without a network', () => {
  test('a write fails immediately, and is not sent later', async () => {
    let isAway = false
    const { page, sentTo } = await open('/apps', {
      ...replies,
      'POST /console/apps/{connection_id}/end': () =>
        isAway
          ? Response.error()
          : exampleApp({ state: 'ended', ended_at: '2026-11-20T10:00:00Z', ended_by: 'member' }),
    })
    await page.getByRole('button', { name: 'End access' }).click()
    isAway = true
    await page.context().setOffline(true)
    await page.getByText('You are offline. What you see').waitFor()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'End access' }).click()
    await dialog.getByRole('alert').getByText('because you are offline').waitFor()
    isAway = false
    const sent = sentTo('POST /console/apps/{connection_id}/end').length
    await page.context().setOffline(false)
    await page.clock.runFor(30_000)
    expect(sentTo('POST /console/apps/{connection_id}/end')).toHaveLength(sent)
    expect(await page.getByRole('main').getByText('Active').count()).toBe(1)
    await dialog.getByRole('button', { name: 'End access' }).click()
    await page.getByText('Ended by you').waitFor()
  })

  test('a page fails immediately, and loads once the network is back', async () => {
    let isAway = false
    const { page, calls } = await open(at('/reports'), {
      ...replies,
      'GET /console/companies/{company_id}/members': (call) =>
        isAway ? Response.error() : replies['GET /console/companies/{company_id}/members']!(call),
    })
    await heading(page, 'Reports').waitFor()
    // Loaded last while the browser is idle.
    const loaded = page.waitForResponse('**/sign-in-over*.js')
    await page.reload()
    await loaded
    isAway = true
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('alert').getByText('because you are offline').waitFor()
    const before = calls.length
    await page.clock.runFor(10_000)
    expect(calls.length).toBe(before)
    isAway = false
    await page.context().setOffline(false)
    await page.getByRole('rowheader', { name: /Olivia/ }).waitFor()
  })

  test('the time to wait is counted down on the button', async () => {
    let isBusy = true
    const { page } = await open('/signatures', {
      ...replies,
      'GET /console/signatures': () =>
        isBusy
          ? apiError(503, 'unavailable', '', { 'retry-after': '3' })
          : { signatures: [], next_cursor: null },
    })
    await page.getByRole('button', { name: /^Try again in [123] seconds?$/, disabled: true }).waitFor()
    isBusy = false
    await page.clock.runFor(3_000)
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.getByRole('heading', { name: 'You have not signed anything yet' }).waitFor()
  })
})

/** Their own tests do not look at them as a whole. */
const simplePages = [
  ['connection', at(`/connections/${exampleConnection().connection_id}`), 'Ledger nightly'],
  ['members', at('/members'), 'Members'],
  ['signatures', '/signatures', 'Your signatures'],
  ['unknown', '/nowhere', 'Page not found'],
  ['role', at('/members', norrsken), 'Your role does not have access to this page'],
] as const

const ledger = `/sources/${exampleSource().source_id}`

const mainPages = [
  ['companies', '/', 'Companies'],
  ['reports', at('/reports'), 'Reports'],
  ['sources', at('/sources'), 'Sources'],
  ['source', at(ledger), 'Ledger'],
  ['connections', at('/connections'), 'Connections'],
  ['deliveries', at('/deliveries'), 'Deliveries'],
  ['delivery', at(`/deliveries/${exampleDelivery().artifact_id}`), 'Delivery'],
] as const

const furtherPages = [
  ['report', at(`/reports/${exampleSource().source_id}/revenue`), 'Revenue'],
  ['metrics', at(`${ledger}/metrics`), 'Ledger'],
  ['versions', at(`${ledger}/versions`), 'Ledger'],
  ['settings', at(`${ledger}/settings`), 'Ledger'],
  ['source form', at('/sources/new'), 'New source'],
  ['changed source', at(`${ledger}/change`), /Ledger/],
  ['connection form', at('/connections/new'), 'New connection'],
  ['refused calls', at('/deliveries?tab=calls'), 'Deliveries'],
  ['apps', '/apps', 'Your apps'],
  ['choice of a sandbox connection', '/sandbox-connection', /./],
] as const

/**
 * The replies one after the other, in their order or the other way round: each part of a page is painted before the next one comes.
 */
function oneByOne(isReversed: boolean): { slowed: Replies; isWaiting: () => boolean } {
  const all = Object.entries(replies) as [string, (call: Call) => unknown][]
  let waiting = 0
  const slowed = all.map(([operation, reply], index) => [
    operation,
    async (call: Call) => {
      waiting++
      const place = operation === 'GET /console/session' ? 0 : isReversed ? all.length - index : index
      await sleep(place * betweenMs)
      waiting--
      return reply(call)
    },
  ])
  return { slowed: Object.fromEntries(slowed) as Replies, isWaiting: () => waiting > 0 }
}

/** A few animation frames. */
const betweenMs = 40

// Four variants each, on a busy machine.
describe.runIf(isFull)('Every page', { timeout: 120_000 }, () => {
  test.each([...simplePages, ...mainPages, ...furtherPages])(
    '(%s) does not shift while it loads',
    async (_name, path, title) => {
      for (const { width, height, isReversed } of [
        { ...sizes.desktop, isReversed: false },
        { ...sizes.phone, isReversed: true },
      ]) {
        const { slowed, isWaiting } = oneByOne(isReversed)
        const shown = await open(path, slowed, { viewport: { width, height } })
        const { page } = shown
        await heading(page, title).waitFor()
        await expect
          .poll(async () => isWaiting() || (await page.getByText('One moment').count()) > 0)
          .toBe(false)
        await painted(page)
        expect(await shown.moved(), `${width} px wide`).toEqual([])
        await shown[Symbol.asyncDispose]()
      }
    },
  )

  test.each(simplePages)('(%s) fits on a phone and is accessible', async (name, path, title) => {
    const { page } = await open(path, replies)
    await heading(page, title).waitFor()
    await expect.poll(() => page.getByText('One moment').count()).toBe(0)
    expect(await lookOver(page, `frame-${name}`)).toEqual([])
  })

  test.each([
    ['of 200 letters in one piece', 'W'.repeat(200)],
    [
      'of markup, and letters from right to left',
      '<b>Numera</b> {{company}} $t(ui.more) \u202Eשלום\u200B 🦊',
    ],
  ])('shows a name %s unchanged without breaking the layout', async (_name, name) => {
    const { page } = await open(at('/sources'), {
      ...replies,
      'GET /console/session': () => exampleSession({ name, companies: [{ ...ekeby, name }, norrsken] }),
      'GET /console/companies/{company_id}/sources': () => ({
        sources: [exampleSource({ name, system_kind: name })],
        next_cursor: null,
      }),
      'GET /console/companies/{company_id}/reports': () =>
        exampleReportList([
          exampleCard({ source_name: name, name, metric: name }),
          exampleCard({ source_id: 'another', source_name: `${name}2` }),
        ]),
    })
    await page.getByRole('rowheader').getByText(name).first().waitFor()
    expect(await lookOver(page, 'frame-hostile')).toEqual([])
    await page.getByRole('link', { name: 'Reports', exact: true }).click()
    await page.getByRole('combobox').waitFor()
    expect(await lookOver(page, 'frame-hostile-reports')).toEqual([])
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill(name.slice(0, 3))
    await page.getByRole('dialog').getByRole('link').first().waitFor()
    expect(await lookOver(page, 'frame-hostile-search')).toEqual([])
  })

  test('of reports without a number leads a developer to the first, and tells a reader who can help', async () => {
    let role: 'developer' | 'reader' = 'developer'
    const { page } = await open(at('/reports'), {
      ...replies,
      'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role }] }),
      'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
      'GET /console/companies/{company_id}/reports': () => exampleReportList([]),
    })
    await page.getByRole('heading', { name: 'Send your first number in about five minutes' }).waitFor()
    expect(await lookOver(page, 'frame-empty-developer')).toEqual([])
    role = 'reader'
    await page.reload()
    await page.getByRole('heading', { name: 'No reports yet' }).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Per Norrsken' }).waitFor()
    expect(await lookOver(page, 'frame-empty-reader')).toEqual([])
  })

  test('shows the figures of a source digit by digit', async () => {
    const { page } = await open(at('/reports'), replies)
    await page.getByText('12,345,678,901,234,567,890,123,456,789,012,345,678.90', { exact: true }).waitFor()
  })

  test('of signatures offers each as evidence', async () => {
    const { page } = await open('/signatures', replies)
    await page.getByRole('button', { name: /^Show text/ }).click()
    expect(await page.getByRole('blockquote').textContent()).toBe('I sign the connection Ledger nightly.')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download as evidence/ }).click()
    expect((await downloading).suggestedFilename()).toBe('numera-signature-2026-09-02-signature-1.json')
  })
})
