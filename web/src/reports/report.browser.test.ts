import { expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { exampleReport, exampleTrace, ledgerId } from '../testing/example-reports.ts'
import { exampleCompany, exampleSession } from '../testing/examples.ts'
import { ledger, list, startReportPages } from '../testing/report-scene.ts'

const { open, getCalls, getLastQuery } = startReportPages()

test('A report sums up its finding in a sentence', async () => {
  const page = await open(ledger)
  await page
    .getByText(
      'October was SEK 1,298,111.75: 8.5% above September and 15.3% above October 2025. \u2068Sweden\u2069 gave 53% of it. ' +
        'November so far is 49.0% below 1–20 Nov 2025.',
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
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('September 2026: 1,195,892.25 SEK')
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
    '1–20 Nov 2025',
  ])
  expect(await rows.nth(3).innerText()).toContain('corrected 20 Oct')
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
    '"Month"\t"Sweden"\t"Norway"\t"Finland"\t"Denmark"\t"Germany"\t"All"\t"Year before"\t"Unfinished"',
  )
  expect(copied.split('\n')[1]).toBe(
    '2026-11-01\t378634.25\t128793.75\t93580.75\t68813.75\t49053.50\t718876.00\t1410500.00\t"yes"',
  )
  const file = new URL((await page.getByRole('link', { name: 'CSV' }).getAttribute('href'))!, page.url())
  expect(file.pathname).toContain('/reports/revenue/file.csv')
  expect(file.searchParams.getAll('where.country')).toEqual(['Sweden', 'Norway'])
  expect(file.searchParams.get('by')).toBe('country')
  expect(file.searchParams.get('language')).toBe('en')
  const workbook = await page.getByRole('link', { name: 'Excel' }).getAttribute('href')
  expect(workbook).toBe(`${file.pathname.replace('.csv', '.xlsx')}${file.search}`)
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
  expect(getCalls().find(({ operation }) => operation.endsWith('/trace'))!.query).toMatchObject({
    'label.country': 'Sweden',
    period_start: '2026-09-01',
    grain: 'month',
    as_of: '2026-10-10T16:00:00.000Z',
  })
  expect(await drawer.getByRole('link', { name: 'Open delivery' }).count()).toBe(3)
  await page.goBack()
  await drawer.waitFor({ state: 'detached' })
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
  expect(getLastQuery()).toEqual({ grain: 'month', from: '2025-12-01', to: '2026-11-21', compare: 'year' })
  await page.getByRole('button', { name: /Last 12 months/ }).click()
  await page.getByRole('button', { name: 'Last 90 days' }).click()
  await expect.poll(getLastQuery).toMatchObject({ from: '2026-08-23' })
  await page.getByRole('radio', { name: 'Week' }).check()
  await expect.poll(getLastQuery).toMatchObject({ grain: 'week' })
  await page.getByRole('combobox', { name: 'By label' }).selectOption('country')
  await expect.poll(getLastQuery).toMatchObject({ by: 'country' })
  await page.getByRole('button', { name: 'Year before' }).first().click()
  await expect.poll(() => getLastQuery()['compare']).toBe(undefined)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('checkbox', { name: 'Finland' }).check()
  await expect.poll(getLastQuery).toMatchObject({ 'where.country': 'Finland' })
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toEqual({
    grain: 'week',
    range: '90d',
    by: 'country',
    year: 'no',
    'where.country': 'Finland',
  })
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

test('Zero differs from a missing value', async () => {
  const base = exampleReport({ by: null, year_before: null })
  const values = base.totals!.map((value, index) => (index === 3 ? '0' : index === 4 ? null : value))
  const page = await open(`${list}/${ledgerId}/revenue?grain=month`, {
    'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => ({
      ...base,
      totals: values,
      series: [{ key: null, values, row_total: null, year_before: null }],
    }),
  })
  await page.getByText('No figure', { exact: true }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'March 2026' }).innerText()).toMatch(/\t0\.00$/)
  expect(await page.getByRole('row').filter({ hasText: 'April 2026' }).innerText()).toMatch(/no figure$/)
})

const looked = {
  looked_at: '2026-10-01T08:00:00Z',
  changed: [{ start: '2026-09-01', was: '1160649.50', value: '1195892.25' }],
}

test('Columns of every series, and the ranges of the fiscal year, are chosen and stay in the address', async () => {
  const totals = exampleReport().totals!
  const lacking = exampleReport({
    year_before: {
      ...exampleReport().year_before!,
      totals: totals.map((_value, index) => (index < 4 ? null : '1000000.5')),
      compared: 8,
      row_total: '8000004',
      compared_total: '8500000',
    },
  })
  const page = await open(ledger, {
    'GET /console/session': () => exampleSession({ companies: [exampleCompany({ fiscal_year_month: 5 })] }),
    'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => lacking,
    'PUT /console/companies/{company_id}/sources/{source_id}/reports/{metric}/look': () => looked,
  })
  await page.getByRole('button', { name: 'Columns' }).click()
  for (const name of ['Change', 'Change in %', 'Share']) {
    await page.getByRole('checkbox', { name, exact: true }).check()
  }
  await page.keyboard.press('Escape')
  expect(new URL(page.url()).searchParams.getAll('columns')).toEqual([
    'figure',
    'before',
    'change',
    'percent',
    'share',
  ])
  await page.getByRole('columnheader', { name: 'Sweden, share' }).waitFor()
  const row = page.getByRole('row')
  expect(await row.nth(1).innerText()).toContain('52.7%')
  expect(await row.last().innerText()).toMatch(/^Both years: 8 of 12 months/)
  expect(await row.last().innerText()).toContain('8,000,004.00\t+499,996.00\t+6.2%')
  // December 2025: without a year before there is no change.
  expect(await row.nth(12).getByText('No figure the year before').count()).toBe(2)
  const main = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(main).toBeLessThanOrEqual(0)
  await page.getByText('1 closed month has changed').waitFor()
  await page.getByRole('link', { name: 'Sep 2026' }).click()
  await page.getByRole('complementary').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: /Last 12 months/ }).click()
  await page.getByRole('button', { name: 'This fiscal year' }).click()
  await expect.poll(getLastQuery).toMatchObject({ from: '2026-05-01', to: '2026-11-21' })
  expect(new URL(page.url()).searchParams.get('range')).toBe('fiscal')
})
