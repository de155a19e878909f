import { describe, expect, test } from 'vitest'
import { apiError } from '../testing/api-stub.ts'
import { exampleCard, exampleReportList } from '../testing/example-reports.ts'
import { exampleCompany, exampleDelivery, exampleSession } from '../testing/examples.ts'
import { at, ekeby, field, focused, heading, norrsken, replies, sideLinks } from '../testing/frame-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('The side', () => {
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
  test('has one language on all pages', async () => {
    const { page } = await open(at('/reports'), replies)
    await heading(page, 'Reports').waitFor()
    const other = await page.context().newPage()
    await other.goto(new URL(at('/sources'), page.url()).href)
    await other.getByRole('button', { name: 'Svenska' }).click()
    await heading(page, 'Rapporter').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('sv')
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
})

test('A failed sign-out is shown in the side and on the consent page', async () => {
  const { page } = await open(at('/reports'), {
    ...replies,
    'POST /console/sign-out': () => Response.error(),
    'POST /console/authorize': () => apiError(400, 'invalid_argument'),
  })
  await page.getByRole('button', { name: 'Sign out' }).click()
  const you = page.getByRole('region', { name: 'You' })
  await you.getByRole('alert').getByText('The service could not be reached').waitFor()
  await heading(page, 'Reports').waitFor()
  await page.goto('https://numera.test/oauth/authorize?client_id=app-1')
  await page.getByRole('button', { name: 'Not you? Sign out' }).click()
  await page.getByRole('alert').getByText('The service could not be reached').waitFor()
})
