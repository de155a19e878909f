import { expect, test } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import type { Replies } from '../testing/api-stub.ts'
import { exampleCard, exampleReportList, ledgerId } from '../testing/example-reports.ts'
import { exampleSession } from '../testing/examples.ts'
import { ekeby, list, startReportPages } from '../testing/report-scene.ts'
import { lookOver } from '../../../testing/browser/screens.ts'

const { open, getCalls } = startReportPages()

type Combined = ApiResponse<'GET /console/companies/{company_id}/combined-report'>
type SavedView = ApiResponse<'GET /console/companies/{company_id}/views'>['views'][number]
type Figure = Combined['lines'][number]['values'][number]

const shopId = '01900000-0000-7000-8000-0000000000b1'
const appId = '01900000-0000-7000-8000-0000000000b2'
const viewId = '01900000-0000-7000-8000-0000000000c1'
const views = `/companies/${ekeby.company_id}/views`
const [ledgerText, shopText, usersText] = [
  `${ledgerId}.revenue`,
  `${shopId}.revenue`,
  `${appId}.active_users`,
]

const operand = (source_id: string, source_name: string, metric = 'revenue') => ({
  source_id,
  source_name,
  metric,
  name: metric === 'revenue' ? 'Revenue' : 'Active users',
  unit: metric === 'revenue' ? 'SEK' : 'count',
})
const figure = (value: string | null, given: Partial<Figure> = {}): Figure => ({
  value,
  numerator: null,
  denominator: null,
  reason: value === null ? 'no_value' : null,
  missing: [],
  ...given,
})
const ratio = (value: string | null, numerator: string, denominator: string | null): Figure =>
  figure(value, { numerator, denominator, reason: value === null ? 'no_denominator' : null })

const starts = ['2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01']
const combined = (lines: Combined['lines']): Combined => ({
  grain: 'month',
  grains: ['month'],
  today: '2026-11-20',
  time_zone: 'Europe/Stockholm',
  window: { from: '2026-08-01', to: '2026-12-01', max_days: 731, narrowed: false },
  as_of: null,
  periods: starts.map((start) => ({ start, end: start, finished: start < '2026-11-01' })),
  year_before_starts: starts.map((start) => start.replace('2026', '2025')),
  lines,
  complete: true,
})

const revenue = [operand(ledgerId, 'Ledger'), operand(shopId, 'Web shop')]
const perUser: Combined['lines'][number] = {
  line: `${ledgerText},${shopText}/${usersText}`,
  unit: 'SEK',
  denominator_unit: 'count',
  numerator: revenue,
  denominator: [operand(appId, 'Mobile app', 'active_users')],
  values: [
    ratio('410.1333', '1230400', '3000'),
    ratio('398.6308', '1195892.25', '3000'),
    { ...ratio('432.7039', '1298111.75', '3000'), missing: [shopText] },
    ratio(null, '718876', null),
  ],
  total: null,
  year_before: [figure(null), figure(null), ratio('375.3662', '1126098.5', '3000'), figure(null)],
}
const together: Combined['lines'][number] = {
  ...perUser,
  line: `${ledgerText},${shopText}`,
  denominator_unit: null,
  denominator: null,
  values: perUser.values.map(({ numerator, missing }) => figure(numerator, { missing })),
  total: { ...figure('4443280'), periods: 4 },
}

/** A service that keeps views; its combined report has the lines of the call. */
const startService = (role: 'owner' | 'reader' = 'owner') => {
  const saved: SavedView[] = []
  const replies = (as: 'owner' | 'reader' = role): Replies => ({
    'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role: as }] }),
    'GET /console/companies/{company_id}/reports': () =>
      exampleReportList([
        exampleCard(),
        exampleCard({ source_id: shopId, source_name: 'Web shop' }),
        exampleCard({
          source_id: appId,
          source_name: 'Mobile app',
          metric: 'active_users',
          name: 'Active users',
          unit: 'count',
          aggregation: 'count_distinct',
          combines: null,
          period: 'month',
        }),
      ]),
    'GET /console/companies/{company_id}/combined-report': ({ query }) =>
      combined([query['line'] === perUser.line ? perUser : together]),
    'GET /console/companies/{company_id}/connections': () => ({ connections: [], next_cursor: null }),
    'GET /console/companies/{company_id}/views': () => ({ views: saved }),
    'POST /console/companies/{company_id}/views': ({ body }) => {
      const { report: _report, ...content } = body as SavedView & { report?: object }
      const view = {
        ...content,
        view_id: saved.length === 0 ? viewId : viewId.replace(/.$/, String(saved.length + 1)),
        source_id: null,
        metric: null,
        revision: 1,
        changed_by: { member_id: 'member-1', name: 'Olivia Ägare' },
        changed_at: '2026-11-20T10:00:00Z',
      }
      saved.push(view)
      return view
    },
    'PATCH /console/companies/{company_id}/views/{view_id}': ({ path, body }) => {
      const {
        place,
        expected_revision: _revision,
        ...change
      } = body as Partial<SavedView> & {
        place?: number
        expected_revision: number
      }
      const index = saved.findIndex(({ view_id }) => view_id === path[1])
      const [view] = saved.splice(index, 1)
      const changed = { ...view!, ...change, revision: view!.revision + 1 }
      saved.splice(place ?? index, 0, changed)
      return changed
    },
  })
  return { saved, replies }
}

test('Revenue per active user is built by ticking, saved for the company, and opened by a colleague', async () => {
  const { saved, replies } = startService()
  const page = await open(list, replies())
  await page.getByRole('link', { name: 'New view' }).click()
  await page.getByRole('checkbox', { name: 'Revenue · Ledger' }).check()
  await page.getByRole('checkbox', { name: 'Active users · Mobile app' }).check()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('Figures of different units cannot be added up.').waitFor()
  expect(await lookOver(page, 'view-new')).toEqual([])
  await page.getByRole('checkbox', { name: 'Active users · Mobile app' }).uncheck()
  await page.getByRole('checkbox', { name: 'Revenue · Web shop' }).check()
  await page.getByText('Divided by', { exact: true }).click()
  await page
    .getByRole('group', { name: 'Divide by' })
    .getByRole('checkbox', { name: 'Active users · Mobile app' })
    .check()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const chart = page.getByRole('slider', { name: /^Revenue .* ÷ Active users/ })
  await chart.waitFor()
  expect(new URL(page.url()).searchParams.get('line')).toBe(perUser.line)
  const rows = page.getByRole('row')
  expect((await rows.nth(2).innerText()).split(/\s*[\t\n]+\s*/).slice(0, 4)).toEqual([
    'Oct 2026',
    '432.7039',
    '1,298,111.75 ÷ 3,000',
    'without \u2068Web shop\u2069',
  ])
  expect(await rows.nth(1).innerText()).toContain('nothing to divide by')
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Revenue per user')
  await dialog.getByRole('radio', { name: 'Everyone in the company' }).check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('heading', { level: 1, name: 'Revenue per user' }).waitFor()
  expect(saved).toMatchObject([
    { for: 'company', pinned: true, search: new URLSearchParams({ line: perUser.line }).toString() },
  ])
  expect(await lookOver(page, 'view-saved')).toEqual([])

  const colleague = await open(`${views}/${viewId}`, replies('reader'))
  await colleague.getByRole('slider', { name: /÷ Active users/ }).waitFor()
  expect(await colleague.getByRole('button', { name: /^Actions/ }).count()).toBe(0)
  await colleague.getByRole('link', { name: 'Reports' }).first().click()
  const card = colleague.getByRole('listitem').filter({ hasText: 'Revenue per user' }).first()
  await card.getByText('432.7039').waitFor()
  expect(await lookOver(colleague, 'view-pinned')).toEqual([])
})

test('A copied link is rolling or frozen, as chosen', async () => {
  const { replies } = startService()
  const page = await open(`${views}/new?line=${together.line}&range=90d`, replies())
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = async (which: RegExp): Promise<URLSearchParams> => {
    await page.getByRole('button', { name: /^(Copy link|Link copied)$/ }).click()
    await page.getByRole('button', { name: which }).click()
    await page.getByRole('button', { name: 'Link copied' }).waitFor()
    return new URL(await page.evaluate(() => navigator.clipboard.readText())).searchParams
  }
  expect(Object.fromEntries(await copy(/stays current/))).toEqual({ line: together.line, range: '90d' })
  const { as_of, ...frozen } = Object.fromEntries(await copy(/as of now/))
  expect(frozen).toEqual({ line: together.line, from: '2026-08-23', to: '2026-11-20' })
  expect(as_of).toMatch(/^2026-11-20T10:0/)
})

test('Pinned views are moved from their menu, and the search finds them', async () => {
  const { replies, saved } = startService()
  const page = await open(list, {
    ...replies(),
    // The search looks for deliveries too.
    'GET /console/companies/{company_id}/deliveries': () => ({
      deliveries: [],
      count: null,
      searched_to: null,
      next_cursor: null,
    }),
  })
  for (const name of ['First', 'Second']) {
    saved.push({
      view_id: viewId.replace(/.$/, name === 'First' ? '1' : '2'),
      for: 'company',
      name,
      source_id: null,
      metric: null,
      search: `line=${together.line}`,
      pinned: true,
      revision: 1,
      changed_by: { member_id: 'member-1', name: 'Olivia Ägare' },
      changed_at: '2026-11-20T10:00:00Z',
    })
  }
  await page.reload()
  const names = page.getByRole('list', { name: 'Pinned views' }).getByRole('heading')
  await names.first().waitFor()
  expect(await names.allInnerTexts()).toEqual(['First', 'Second'])
  await page.getByRole('button', { name: 'Actions: \u2068Second\u2069' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(() => names.allInnerTexts()).toEqual(['Second', 'First'])
  expect(getCalls().find(({ operation }) => operation.startsWith('PATCH'))!.body).toEqual({
    expected_revision: 1,
    place: 0,
  })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Actions: \u2068Second\u2069')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').locator('input').fill('first')
  await page.getByRole('dialog').getByRole('link', { name: 'First' }).click()
  await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
})
