import { expect, test } from 'vitest'
import type { ApiResponse } from '../../api/call-api.ts'
import { exampleTrace } from '../../testing/example-reports.ts'
import { exampleDeliveryInFull } from '../../testing/examples.ts'
import { ledger, startReportPages } from '../../testing/report-scene.ts'

const { open, getCalls } = startReportPages()

const [third, second] = exampleTrace().deliveries.map(({ artifact_id }) => artifact_id) as [string, string]
const fields = [
  { name: 'invoice', type: 'text', personal: false },
  { name: 'customer', type: 'text', personal: true },
  { name: 'amount', type: 'number', personal: false },
] as const
const row = (number: number, invoice: string, amount: string) => ({
  row: number,
  line: number + 1,
  values: [{ text: invoice }, { masked: true as const }, { text: amount }],
  cells: null,
  gave: amount,
})
const none = { rows: 0, difference: '0' }

const figureRows: ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}/value-rows'> = {
  artifact_id: third,
  metric: 'revenue',
  grain: 'month',
  period_start: '2026-09-01',
  labels: { country: ['Sweden'] },
  except: {},
  state: 'parsed',
  reason: null,
  fields: [...fields],
  value: '331600.75',
  rows_counted: 2,
  rows_not_counted: 549,
  rows: [row(14, 'A-1001', '331000.25'), row(402, 'A-1402', '600.5')],
  next_cursor: null,
}
const difference: ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}/difference'> = {
  artifact_id: third,
  with: second,
  state: 'parsed',
  reason: null,
  fields: [...fields],
  key: ['invoice'],
  key_unique: true,
  value_before: '315684',
  value_after: '331600.75',
  difference: '15916.75',
  rows_same: 536,
  gone: none,
  added: { rows: 1, difference: '15900.25' },
  changed: { rows: 1, difference: '16.5' },
  rows: [
    {
      kind: 'added',
      before: null,
      after: row(14, 'A-1001', '15900.25'),
      fields: null,
      difference: '15900.25',
    },
    {
      kind: 'changed',
      before: row(390, 'A-1402', '584'),
      after: row(402, 'A-1402', '600.5'),
      fields: ['amount'],
      difference: '16.5',
    },
  ],
  next_cursor: null,
}

const replies = {
  'GET /console/known-metrics': () => ({ metrics: [{ key: 'revenue', name: 'Revenue', unit: 'SEK' }] }),
  'GET /console/companies/{company_id}/sources/{source_id}/samples/trace': () =>
    exampleTrace({ as_of: null, value_then: null }),
  'GET /console/companies/{company_id}/deliveries/{artifact_id}': () =>
    exampleDeliveryInFull({ artifact_id: third }),
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/samples': () => ({
    samples: [],
    count: 0,
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/value-rows': () => figureRows,
  'GET /console/companies/{company_id}/deliveries/{artifact_id}/difference': () => difference,
}
const traced = `${ledger}&trace=2026-09-01&of=.Sweden`

test('A trace says what a replaced delivery gave and the step, and leads to the rows of a figure', async () => {
  const page = await open(traced, replies)
  const drawer = page.getByRole('complementary', { name: /Sweden.*September 2026/ })
  await drawer.getByText('+15,916.75 from the one before').waitFor()
  expect(await drawer.locator('s').innerText()).toContain('315,684.00')
  await drawer.getByRole('link', { name: 'Show its rows' }).last().click()
  await page.getByText('2 rows count:').waitFor()
  expect(await page.getByRole('table').first().getByRole('row').count()).toBe(3)
  await page.getByText('331,600.75').waitFor()
  await page.getByRole('cell', { name: '600.50', exact: true }).waitFor()
  const { query } = getCalls().find(({ operation }) => operation.endsWith('/value-rows'))!
  expect(query).toEqual({
    metric: 'revenue',
    period_start: '2026-09-01',
    grain: 'month',
    'label.country': 'Sweden',
  })
  // The address alone opens the same rows.
  await page.reload()
  await page.getByText('2 rows count:').waitFor()
  expect(
    await page.getByRole('link', { name: 'Show the 549 other rows too' }).getAttribute('href'),
  ).toContain('rows=all')
})

test('What changed between two statements is in the address, and the fields that match rows are chosen', async () => {
  const page = await open(traced, replies)
  await page.getByRole('button', { name: 'What changed' }).click()
  const list = page.getByRole('complementary').getByRole('listitem')
  await list.filter({ hasText: 'Changed' }).getByText('584').waitFor()
  expect(await list.first().innerText()).toContain('+15,900.25')
  await page.getByText('Matched by').click()
  await page.getByRole('checkbox', { name: 'customer' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.getAll('key')).toEqual(['invoice', 'customer'])
  await expect.poll(() => page.getByRole('checkbox', { name: 'customer' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Back to the deliveries' }).click()
  await page.getByRole('link', { name: 'Show its rows' }).first().waitFor()
})
