import { expect, test } from 'vitest'
import { exampleCard, exampleReportList, ledgerId } from '../testing/example-reports.ts'
import { list, startReportPages } from '../testing/report-scene.ts'

const { open } = startReportPages()

test('A card shows its last finished period, two changes, the current period and its source’s rhythm', async () => {
  const page = await open(list)
  const card = page.getByRole('listitem').filter({ hasText: 'Ledger · SEK' })
  for (const text of [
    'Corrected: Sep',
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

test('A figure of 38 digits is shown digit by digit', async () => {
  const page = await open(list, {
    'GET /console/companies/{company_id}/reports': () =>
      exampleReportList([
        exampleCard({
          latest: {
            period_start: '2026-10-01',
            value: '12345678901234567890123456789012345678.90',
            restated: null,
          },
        }),
      ]),
  })
  await page.getByText('12,345,678,901,234,567,890,123,456,789,012,345,678.90', { exact: true }).waitFor()
})
