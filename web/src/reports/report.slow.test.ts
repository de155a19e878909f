import { expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import { exampleLongReport, exampleReport, ledgerId } from '../testing/example-reports.ts'
import { ledger, list, phone, startReportPages } from '../testing/report-scene.ts'

const { open, getCalls, getLastQuery } = startReportPages()

test('A report fits on a phone and is accessible, light and dark, in each language', async () => {
  const page = await open(ledger)
  await page.getByRole('slider').waitFor()
  expect(await lookOver(page, 'report')).toEqual([])
})

test('A report fits into 320 px', async () => {
  const page = await open(ledger, {}, { viewport: { width: 320, height: 640 } })
  await page.getByRole('slider').waitFor()
  expect(
    await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
})

test('Without a clipboard, the page says that nothing was copied', async () => {
  const page = await open(ledger)
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('button', { name: 'Not copied' }).waitFor()
})

test('A figure of “Other” opens the trace of all values without a series', async () => {
  const page = await open(`${list}/${ledgerId}/revenue?grain=day&by=country&range=24m`, {
    'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}': () => exampleLongReport(40),
  })
  const request = page.waitForRequest(/\/samples\/trace/)
  await page.getByRole('row').nth(1).locator('td').nth(8).getByRole('button').click()
  const drawer = page.getByRole('complementary', { name: /Other \(14\)/ })
  await drawer.getByText('3 deliveries').waitFor()
  const { searchParams } = new URL((await request).url())
  const shown = ['SE', 'NO', 'FI', 'DK', 'DE', 'NL', 'PL', 'FR']
  expect([searchParams.getAll('not.country'), searchParams.getAll('label.country')]).toEqual([shown, []])
  expect(await lookOver(page, 'report-trace')).toEqual([])
  // Its address can be sent to a colleague.
  await page.reload()
  await drawer.waitFor()
})

test('An invalid range is reported at the field, and nothing is requested', async () => {
  const page = await open(ledger)
  await page.getByRole('slider').waitFor()
  await page.getByRole('button', { name: /Last 12 months/ }).click()
  await page.getByLabel('From', { exact: true }).fill('2024-01-01')
  const before = getCalls().length
  await page.getByRole('button', { name: 'Show these days' }).click()
  await page.getByText('At most 731 days can be shown.').waitFor()
  expect(getCalls().length).toBe(before)
  await page.getByLabel('From', { exact: true }).fill('2026-01-01')
  await page.getByLabel('Through').fill('2026-03-31')
  await page.getByRole('button', { name: 'Show these days' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBe('2026-03-31')
  await expect.poll(getLastQuery).toMatchObject({ from: '2026-01-01', to: '2026-04-01' })
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

test('Of two years by day only visible rows are rendered, and print has all of them', async () => {
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
})

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

test('A live spreadsheet carries the whole view, and says how each program reads it', async () => {
  const page = await open(`${ledger}&where.country=Sweden&without=country&range=24m`, {
    'POST /console/companies/{company_id}/links': () => ({
      link: {
        link_id: 'link-1',
        kind: 'sheet',
        name: 'Budget',
        report: null,
        created_by: { member_id: 'member-1', name: null },
        created_at: '2026-11-15T10:00:00Z',
        expires_at: '2027-02-13T10:00:00Z',
        used_on: null,
      },
      address: 'https://numera.test/sheets/nrl_1.csv',
    }),
  })
  await page.getByRole('button', { name: 'Live spreadsheet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Live spreadsheet' })
  await dialog.getByText('Last 24 months, rolling with the calendar.').waitFor()
  await dialog.getByLabel('Name').fill('Budget')
  expect(await lookOver(page, 'live-spreadsheet')).toEqual([])
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const made = page.getByRole('dialog', { name: 'Copy the address of the spreadsheet' })
  expect(await made.getByLabel('Formula for cell A1').inputValue()).toBe(
    '=IMPORTDATA("https://numera.test/sheets/nrl_1.csv")',
  )
  expect(await lookOver(page, 'live-spreadsheet-made')).toEqual([])
  const sent = getCalls().find(({ operation }) => operation.startsWith('POST'))!.body
  expect(sent).toEqual({
    kind: 'sheet',
    name: 'Budget',
    days: 90,
    language: 'en',
    report: {
      source_id: ledgerId,
      metric: 'revenue',
      grain: 'month',
      range: '24m',
      by: 'country',
      compare: 'year',
      where: { country: ['Sweden', ''] },
    },
  })
})
