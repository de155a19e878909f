import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import {
  exampleCard,
  exampleLongReport,
  exampleReport,
  exampleReportList,
  exampleTrace,
  exampleVintage,
  ledgerId,
} from '../testing/example-reports.ts'
import { exampleCompany, exampleSession } from '../testing/examples.ts'
import { type OpenedCompanyPage, type PageOptions, startPages } from '../testing/start-pages.ts'

const openPage = startPages()

let opened: OpenedCompanyPage

const ekeby = exampleCompany()
const list = `/companies/${ekeby.company_id}/reports`
const ledger = `${list}/${ledgerId}/revenue?grain=month&by=country`

const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby] }),
  'GET /console/companies/{company_id}': () => ({
    ...ekeby,
    created_at: '2026-01-01T08:00:00Z',
    owners: [{ member_id: 'member-9', name: 'Per Norrsken' }],
  }),
  'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
  'GET /console/companies/{company_id}/reports': () => exampleReportList(),
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': ({ query }) =>
    query['as_of'] === undefined ? exampleReport() : exampleVintage(),
  'GET /console/companies/{company_id}/sources/{source_id}/samples/trace': ({ query }) =>
    query['as_of'] === undefined ? exampleTrace({ as_of: null, value_then: null }) : exampleTrace(),
}

async function open(path: string, given: Replies = {}, options?: PageOptions): Promise<Page> {
  opened = await openPage(path, { ...replies, ...given }, options)
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return opened.page
}

/** The query of the latest report request. */
function lastQuery(): Record<string, string> {
  return opened.calls.findLast(({ operation }) => operation.endsWith('/reports/{metric}'))!.query
}

const phone = { viewport: { width: 390, height: 844 } }

describe('the list', () => {
  test.runIf(isFull)(
    'Every card fits on a phone and is accessible, light and dark, in each language',
    async () => {
      const page = await open(list)
      await page.getByRole('link', { name: 'Revenue' }).first().waitFor()
      expect(await lookOver(page, 'reports')).toEqual([])
    },
  )

  test('A card shows its last finished period, two changes, the current period and its source’s rhythm', async () => {
    const page = await open(list)
    const card = page.getByRole('listitem').filter({ hasText: 'Ledger · SEK' })
    for (const text of [
      'Restated: Sep',
      'October 2026',
      '1,298,111.75',
      'up 8.5% from September',
      'up 15.3% from October 2025',
      'November so far',
      '718,876.00',
      'Last delivery 16 Nov, usually twice a month',
    ]) {
      expect((await card.innerText()).replaceAll(/\s+/g, ' '), text).toContain(text)
    }
    const returns = page.getByRole('listitem').filter({ hasText: 'Returns' })
    expect(await returns.innerText()).toContain('−54,774.00')
    expect((await returns.innerText()).replaceAll(/\s+/g, ' ')).toContain('up 3,227.00 from September')
    expect(await returns.innerText()).toContain('Late: last delivery 3 days ago, usually every day')
    const market = page.getByRole('listitem').filter({ hasText: 'Marketplace' })
    expect(await market.innerText()).toContain('No figure for October 2025')
    expect(await page.getByText('Paused 11 days ago by \u2068Anna Berg\u2069').count()).toBe(1)
    expect(await page.getByText('5 reports from 5 sources.').innerText()).toBe(
      '5 reports from 5 sources. \u2068Returns\u2069 is late and \u2068Mobile app\u2069 is paused.',
    )
  })

  test('A card opens its report, and Back returns to the cards', async () => {
    const page = await open(list)
    await page.getByRole('listitem').filter({ hasText: 'Ledger' }).click()
    await page.getByRole('heading', { level: 1, name: 'Revenue' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${list}/${ledgerId}/revenue`)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  })

  test('The address selects a source', async () => {
    const page = await open(list)
    await page.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'Returns' })
    await expect.poll(() => page.locator('main ul > li').count()).toBe(1)
    expect(page.url()).toContain('source=')
  })

  test('Reports of more than a hundred sources are loaded page by page automatically', async () => {
    const page = await open(list, {
      'GET /console/companies/{company_id}/reports': ({ query }) => ({
        ...exampleReportList([exampleCard({ source_id: `source-${query['cursor'] ?? 1}` })]),
        next_cursor: query['cursor'] === undefined ? '2' : null,
      }),
    })
    await expect.poll(() => page.locator('main ul > li').count()).toBe(2)
  })

  test('Unchanged reports are not sent again', async () => {
    const tags: (string | undefined)[] = []
    const page = await open(list)
    await page.getByRole('link', { name: 'Revenue' }).first().waitFor()
    const answerNext = async (answer: Parameters<Route['fulfill']>[0]): Promise<void> => {
      await page.unroute('**/reports?limit=100')
      await page.route('**/reports?limit=100', (route) => {
        tags.push(route.request().headers()['if-none-match'])
        return route.fulfill(answer)
      })
      await page.clock.fastForward(31_000)
    }
    const renewed = exampleCard({ source_name: 'Renewed' })
    await answerNext({ json: exampleReportList([renewed]), headers: { etag: '"7"' } })
    // The next interval begins when this response arrives, so the clock must wait for it.
    await page.getByText('Renewed').waitFor()
    await answerNext({ status: 304 })
    await expect.poll(() => tags).toEqual([undefined, '"7"'])
    expect(await page.locator('main ul > li').count()).toBe(1)
  })

  test('Without numbers, an owner is led to the first and a reader sees who can help', async () => {
    const empty = { 'GET /console/companies/{company_id}/reports': () => exampleReportList([]) }
    const page = await open(list, empty)
    expect(await page.getByRole('link', { name: 'New source' }).getAttribute('href')).toContain(
      '/sources/new',
    )
    await page.getByRole('link', { name: 'Invite a developer' }).waitFor()
    expect(await lookOver(page, 'reports-empty-owner')).toEqual([])

    const reader = await open(list, {
      ...empty,
      'GET /console/session': () => exampleSession({ companies: [{ ...ekeby, role: 'reader' }] }),
    })
    await reader.getByText('Per Norrsken').waitFor()
    expect(await reader.getByRole('link', { name: 'New source' }).count()).toBe(0)
    expect(await lookOver(reader, 'reports-empty-reader')).toEqual([])
  })
})

describe('a report', () => {
  test.runIf(isFull)(
    'A report fits on a phone and is accessible, light and dark, in each language',
    async () => {
      const page = await open(ledger)
      await page.getByRole('slider').waitFor()
      expect(await lookOver(page, 'report')).toEqual([])
    },
  )

  test('A report fits into 320 px', async () => {
    const page = await open(ledger, {}, { viewport: { width: 320, height: 640 } })
    await page.getByRole('slider').waitFor()
    expect(
      await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0)
  })

  test('A report sums up its finding in a sentence', async () => {
    const page = await open(ledger)
    await page
      .getByText(
        'October was SEK 1,298,111.75: 8.5% above September and 15.3% above October 2025. \u2068Sweden\u2069 gave 53% of it.',
      )
      .waitFor()
  })

  test('The readout follows the pointer and the arrow keys, and the chosen period stays in the address', async () => {
    const page = await open(ledger)
    const chart = page.getByRole('slider', { name: /^Revenue by month/ })
    await chart.focus()
    expect(await chart.getAttribute('aria-valuetext')).toContain(
      'October 2026: 1,298,111.75 SEK, Sweden 684,405.25 SEK',
    )
    await page.keyboard.press('ArrowLeft')
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toContain('September 2026: 1,195,892.25 SEK')
    expect(new URL(page.url()).searchParams.get('period')).toBe('2026-09-01')
    await page.keyboard.press('Home')
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('December 2025')
    const { x, y, width } = (await chart.boundingBox())!
    await page.mouse.move(x + width - 10, y + 100)
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('November 2026')
    await page.getByText('718,876.00 SEK').waitFor()
    await page.mouse.move(0, 0)
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('December 2025')
  })

  test('The table has the same figures, exact and sortable', async () => {
    const page = await open(ledger)
    const rows = page.getByRole('row')
    await rows.first().waitFor()
    expect((await rows.nth(1).innerText()).split(/\s*[\t\n]+\s*/)).toEqual([
      'November 2026',
      'to 15 Nov, unfinished',
      '378,634.25',
      '128,793.75',
      '93,580.75',
      '68,813.75',
      '49,053.50',
      '718,876.00',
      '1,410,500.00',
    ])
    expect(await rows.nth(3).innerText()).toContain('restated 20 Oct')
    expect(await rows.nth(3).innerText()).toContain('was 1,160,649.50')
    expect(await rows.last().innerText()).toContain('13,391,043.00')
    await page.getByRole('button', { name: 'Norway' }).click()
    await expect.poll(() => rows.nth(1).innerText()).toContain('December 2025')
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-.Norway')
  })

  test('Figures are copied unchanged, and the file follows the same choices', async () => {
    const page = await open(`${ledger}&where.country=Sweden&where.country=Norway`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n')[0]).toBe(
      '"Month"\t"Sweden"\t"Norway"\t"Finland"\t"Denmark"\t"Germany"\t"All"\t"Year before"',
    )
    expect(copied.split('\n')[1]).toBe(
      '2026-11-01\t378634.25\t128793.75\t93580.75\t68813.75\t49053.50\t718876.00\t1410500.00',
    )
    const file = new URL((await page.getByRole('link', { name: 'CSV' }).getAttribute('href'))!, page.url())
    expect(file.pathname).toContain('/reports/revenue/file.csv')
    expect(file.searchParams.getAll('where.country')).toEqual(['Sweden', 'Norway'])
    expect(file.searchParams.get('by')).toBe('country')
    expect(file.searchParams.get('language')).toBe('en')
  })

  test('Without a clipboard, the page says that nothing was copied', async () => {
    const page = await open(ledger)
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Not copied' }).waitFor()
  })

  test('A figure opens its trace, with links to deliveries for roles with access', async () => {
    const page = await open(`${ledger}&as_of=2026-10-10T16:00:00Z`)
    await page.getByRole('button', { name: '604,477.75' }).click()
    const drawer = page.getByRole('complementary', { name: /Sweden.*September 2026/ })
    await drawer.getByText('3 deliveries').waitFor()
    const text = (await drawer.innerText()).replaceAll(/\s+/g, ' ')
    for (const part of [
      '315,684.00 superseded',
      'not sent yet 331,600.75',
      'Sum 604,477.75 620,394.50',
      'Difference +15,916.75',
      '3 deliveries',
      'Superseded by 3',
    ]) {
      expect(text).toContain(part)
    }
    expect(opened.calls.find(({ operation }) => operation.endsWith('/trace'))!.query).toMatchObject({
      'label.country': 'Sweden',
      period_start: '2026-09-01',
      grain: 'month',
      as_of: '2026-10-10T16:00:00.000Z',
    })
    expect(await drawer.getByRole('link', { name: 'Open delivery' }).count()).toBe(3)
    expect(await lookOver(page, 'report-trace')).toEqual([])
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
  })

  test('A figure of “Other” opens the trace of all values without a series', async () => {
    const page = await open(`${list}/${ledgerId}/revenue?grain=day&by=country&range=24m`, {
      'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => exampleLongReport(40),
    })
    const asked = page.waitForRequest(/\/samples\/trace/)
    await page.getByRole('row').nth(1).getByRole('button').nth(8).click()
    const drawer = page.getByRole('complementary', { name: /Other \(14\)/ })
    await drawer.getByText('3 deliveries').waitFor()
    const { searchParams } = new URL((await asked).url())
    const shown = ['SE', 'NO', 'FI', 'DK', 'DE', 'NL', 'PL', 'FR']
    expect([searchParams.getAll('not.country'), searchParams.getAll('label.country')]).toEqual([shown, []])
    // Its address can be sent to a colleague.
    await page.reload()
    await drawer.waitFor()
  })

  test('Readers have no links to deliveries', async () => {
    const page = await open(`${ledger}&trace=2026-09-01&of=.Sweden`, {
      'GET /console/companies/{company_id}/sources/{source_id}/samples/trace': () =>
        exampleTrace({ delivery_visible: false }),
    })
    await page.getByRole('complementary').getByText('Superseded by 3').waitFor()
    expect(await page.getByRole('link', { name: 'Open delivery' }).count()).toBe(0)
  })

  test('An earlier vintage is shown and compared with today', async () => {
    const page = await open(ledger)
    await page.getByRole('button', { name: 'As of now' }).click()
    await page.getByLabel('As of', { exact: true }).last().fill('2026-10-10T18:00')
    await page.getByRole('button', { name: 'Show' }).click()
    const note = page.getByRole('note', { name: /As of/ })
    await note.waitFor()
    expect(await note.innerText()).toContain(
      '1 period has a different figure today, by +35,242.75 in total. 2 were not known yet.',
    )
    expect(new URL(page.url()).searchParams.get('as_of')).toBe('2026-10-10T16:00:00.000Z')
    expect(await page.getByRole('row').nth(1).innerText()).toContain('not known')
    // Its colours match as well.
    await page.getByRole('slider').press('End')
    await page.getByRole('definition').first().getByText('not known').waitFor()
    await note.getByRole('link', { name: 'Back to now' }).click()
    await note.waitFor({ state: 'detached' })
  })

  test('Range, grain, label and comparison are requested and in the address', async () => {
    const page = await open(`${list}/${ledgerId}/revenue?grain=month`)
    await page.getByRole('slider').waitFor()
    expect(lastQuery()).toEqual({ grain: 'month', from: '2025-12-01', to: '2026-11-21', compare: 'year' })
    await page.getByRole('button', { name: /Last 12 months/ }).click()
    await page.getByRole('button', { name: 'Last 90 days' }).click()
    await expect.poll(lastQuery).toMatchObject({ from: '2026-08-23' })
    await page.getByRole('radio', { name: 'Week' }).check()
    await expect.poll(lastQuery).toMatchObject({ grain: 'week' })
    await page.getByRole('combobox', { name: 'By label' }).selectOption('country')
    await expect.poll(lastQuery).toMatchObject({ by: 'country' })
    await page.getByRole('button', { name: 'Year before' }).first().click()
    await expect.poll(() => lastQuery()['compare']).toBe(undefined)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('checkbox', { name: 'Finland' }).check()
    await expect.poll(lastQuery).toMatchObject({ 'where.country': 'Finland' })
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toEqual({
      grain: 'week',
      range: '90d',
      by: 'country',
      year: 'no',
      'where.country': 'Finland',
    })
  })

  test('An invalid range is reported at the field, and nothing is requested', async () => {
    const page = await open(ledger)
    await page.getByRole('slider').waitFor()
    await page.getByRole('button', { name: /Last 12 months/ }).click()
    await page.getByLabel('From', { exact: true }).fill('2024-01-01')
    const before = opened.calls.length
    await page.getByRole('button', { name: 'Show these days' }).click()
    await page.getByText('At most 731 days can be shown.').waitFor()
    expect(opened.calls.length).toBe(before)
    await page.getByLabel('From', { exact: true }).fill('2026-01-01')
    await page.getByLabel('Through').fill('2026-03-31')
    await page.getByRole('button', { name: 'Show these days' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBe('2026-03-31')
    await expect.poll(lastQuery).toMatchObject({ from: '2026-01-01', to: '2026-04-01' })
  })

  test('On a phone the figure comes first, and the table has three columns', async () => {
    const page = await open(ledger, {}, phone)
    await page.getByRole('slider').waitFor()
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['Month', 'All', 'Year before'])
    await page.getByRole('button', { name: 'Show all 12 months' }).click()
    expect(await page.getByRole('row').count()).toBe(14)
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'By label' }).waitFor()
  })

  test.runIf(isFull)(
    'Of two years by day only visible rows are rendered, and print has all of them',
    async () => {
      const page = await open(`${list}/${ledgerId}/revenue?grain=day&by=country&range=24m`, {
        'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => exampleLongReport(),
      })
      await page.getByText('Other (14)').first().waitFor()
      expect(await page.getByRole('row').count()).toBeLessThan(80)
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await page.getByRole('rowheader', { name: '20 Nov 2024' }).waitFor()
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
      // Including the header and the sums.
      expect(await page.getByRole('row').count()).toBe(733)
      await page.evaluate(() => dispatchEvent(new Event('afterprint')))
      expect(await lookOver(page, 'report-long')).toEqual([])
    },
  )

  test('A changed range keeps the row of a day, the pointed one and the column widths', async () => {
    const all = exampleLongReport(90)
    const last = (days: number): ReturnType<typeof exampleReport> => ({
      ...all,
      series: all.series.map((each) => ({ ...each, values: each.values.slice(-days) })),
      other: { ...all.other!, values: all.other!.values.slice(-days) },
      totals: all.totals!.slice(-days),
      periods: all.periods.slice(-days),
    })
    const page = await open(`${list}/${ledgerId}/revenue?grain=day&by=country&range=30d`, {
      'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': ({ query }) =>
        last(query['from'] === '2026-10-22' ? 30 : 90),
    })
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: '10 Feb 2025' }) })
    await row.evaluate((element) => element.setAttribute('data-known', 'yes'))
    const chart = page.getByRole('slider')
    const { x, y, width } = (await chart.boundingBox())!
    await page.mouse.move(x + width / 2, y + 100)
    const pointedAt = async () => (await chart.getAttribute('aria-valuetext'))?.split(':')[0] ?? ''
    await expect.poll(pointedAt).toMatch(/Feb 2025$/)
    const pointed = await pointedAt()
    const place = await row.boundingBox()
    const address = page.url().replace('30d', '90d')
    await page.evaluate((to) => history.pushState({}, '', to), address)
    await expect.poll(() => page.getByRole('row').count()).toBe(92)
    expect(await row.getAttribute('data-known')).toBe('yes')
    expect(await row.boundingBox()).toEqual(place)
    expect(await chart.getAttribute('aria-valuetext')).toContain(pointed)
  })

  test('A long table has the same height in any order, and on a phone the width of its visible columns', async () => {
    const address = `${list}/${ledgerId}/revenue?grain=day&by=country&range=24m`
    const page = await open(address, {
      'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => exampleLongReport(),
    })
    const body = page.locator('tbody')
    await page.getByRole('rowheader', { name: '20 Nov 2026' }).waitFor()
    const height = await body.evaluate(({ clientHeight }) => clientHeight)
    await page.getByRole('button', { name: 'Day', exact: true }).click()
    await page.getByRole('rowheader', { name: '20 Nov 2024' }).waitFor()
    expect(await body.evaluate(({ clientHeight }) => clientHeight)).toBe(height)
    await page.setViewportSize(phone.viewport)
    await page.getByRole('button', { name: 'Show all 731 days' }).click()
    await page.getByRole('rowheader', { name: '20 Nov 2024' }).waitFor()
    const figures = page.getByRole('region', { name: 'Figures' })
    expect(await figures.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  test('Distinct counts are never added up: a label is chosen first, and there is no total', async () => {
    const distinct = {
      metric: 'active_users',
      unit: 'count',
      aggregation: 'count_distinct' as const,
      combines: null,
      grains: ['day' as const],
      totals: null,
      row_total: null,
      year_before: null,
    }
    const page = await open(`${list}/${ledgerId}/active_users?grain=day`, {
      'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': ({ query }) =>
        query['by'] === undefined
          ? exampleReport({ ...distinct, by: null, series: [], choose: ['country'] })
          : exampleReport({
              ...distinct,
              series: exampleReport().series.map((each) => ({ ...each, row_total: null })),
            }),
    })
    await page.getByRole('heading', { name: 'Choose what to count' }).waitFor()
    expect(await lookOver(page, 'report-choose')).toEqual([])
    await page.getByRole('button', { name: 'One line for each country' }).click()
    await page.getByText('never added up').waitFor()
    expect(await page.getByRole('columnheader', { name: 'All' }).count()).toBe(0)
  })

  test('Truncated and omitted data are announced', async () => {
    const page = await open(ledger, {
      'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () =>
        exampleReport({
          complete: false,
          left_out: 12,
          window: { from: '2026-02-01', to: '2026-12-01', max_days: 731, narrowed: true },
        }),
    })
    await page.getByText('this starts on 1 Feb 2026').waitFor()
    await page.getByText('12 more values of the label are not shown.').waitFor()
  })

  test('Zero differs from a missing value', async () => {
    const base = exampleReport({ by: null, year_before: null })
    const values = base.totals!.map((value, index) => (index === 3 ? '0' : index === 4 ? null : value))
    const page = await open(`${list}/${ledgerId}/revenue?grain=month`, {
      'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => ({
        ...base,
        totals: values,
        series: [{ key: null, values, row_total: null }],
      }),
    })
    await page.getByText('No figure', { exact: true }).waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'March 2026' }).innerText()).toMatch(/\t0$/)
    expect(await page.getByRole('row').filter({ hasText: 'April 2026' }).innerText()).toMatch(/no figure$/)
  })

  test('Hostile names break nothing', async () => {
    const hostile = `\u202E${'<b>x</b>'.repeat(20)}😀`
    const { series } = exampleReport()
    const page = await open(
      ledger,
      {
        'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () =>
          exampleReport({
            source_name: hostile,
            series: [{ ...series[0]!, key: hostile }, { ...series[1]!, key: '' }, ...series.slice(2)],
          }),
      },
      phone,
    )
    await page.getByText('Without \u2068country\u2069').first().waitFor()
    expect(
      await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0)
    expect(await page.locator('main b').filter({ hasText: /^x$/ }).count()).toBe(0)
  })

  test('A label that no longer exists is announced and can be removed', async () => {
    const page = await open(`${list}/${ledgerId}/revenue?by=gone`, {
      'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': ({ query }) =>
        query['by'] === 'gone'
          ? apiError(400, 'invalid_argument', 'The metric has no such label.')
          : exampleReport(),
    })
    await page.getByRole('alert').getByText('The metric has no such label.').waitFor()
    await page.getByRole('button', { name: 'Clear all choices' }).click()
    await page.getByRole('slider').waitFor()
  })
})
