import { expect, test } from 'vitest'
import { lookOver, speak } from '../../../testing/browser/screens.ts'
import type { Replies } from '../testing/api-stub.ts'
import {
  exampleCompany,
  exampleDelivery,
  exampleDeliveryInFull,
  exampleSession,
  exampleSource,
} from '../testing/examples.ts'
import { companyReplies } from '../testing/company-replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const company = exampleCompany()
const missing = { metric: 'revenue', field: 'amount', rows: 1 }
const remarked = {
  rows_accepted: 4,
  rows_refused: 0,
  rows_date_alone: 0,
  missing_values: [missing],
  rows_far_ahead: 1_204,
}
const listed = exampleDelivery({ ...remarked, delivers: 'events' })
const inFull = exampleDeliveryInFull({
  ...listed,
  dropped_keys: ['amout'],
  missing_values: [{ ...missing, similar_dropped_key: 'amout' }],
  far_ahead: [
    { row: 3, day: '2062-03-15' },
    { row: 1_007, line: 1_008 },
  ],
  refusals: [],
})

const replies: Replies = {
  ...companyReplies,
  'GET /console/session': () => exampleSession({ companies: [company] }),
  'GET /console/companies/{company_id}': () =>
    ({ ...company, created_at: '2026-01-01T08:00:00Z', owners: [] }) as never,
  'GET /console/companies/{company_id}/sources': () => ({
    sources: [exampleSource({ delivers: 'events' })],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/deliveries': () => ({
    deliveries: [
      listed,
      { ...listed, artifact_id: '01900000-0000-7000-8000-0000000000d2', missing_values: [] },
      {
        ...listed,
        artifact_id: '01900000-0000-7000-8000-0000000000d3',
        missing_values: [],
        rows_far_ahead: 0,
      },
    ],
    count: { deliveries: 3, more: false },
    searched_to: null,
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/last-deliveries': ({ query }) => ({
    deliveries: query['sandbox'] === 'true' ? [] : [listed],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/deliveries/{artifact_id}': () => inFull,
}
const plain = (text: string): string =>
  text
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('a delivery’s page says which metric missed a value, the likely field and what to do, in both languages', async () => {
  const { page } = await open(`/companies/${company.company_id}/deliveries/${inFull.artifact_id}`, replies)
  const notes = async () => (await page.getByRole('note').allInnerTexts()).map(plain)
  await page.getByRole('note', { name: 'Revenue: 1 row had no' }).waitFor()
  expect(await notes()).toEqual([
    'Revenue: 1 row had no “amount” and added nothing. The delivery had “amout”, which is not a field of the source. Did you mean “amount”? ' +
      'If the value should be there, correct the system that sends it and send these rows again with a new key. ' +
      'Other metrics that have already counted the rows will count them twice.',
    '1,204 rows are dated more than 366 days ahead. Rows 3 (15 Mar 2062), 1,007 and 1,202 more. They count on the date they have. ' +
      'If it is wrong, cancel the row with one of the opposite sign, then send it with the right date and a new key.',
  ])
  expect(await lookOver(page, 'delivery-remarks')).toEqual([])
  await speak(page, 'sv')
  await page.getByRole('note', { name: 'Intäkter: 1 rad saknade' }).waitFor()
  expect((await notes())[0]).toContain('Menade du ”amount”?')
})

test('the list marks deliveries with missing values or dates far ahead', async () => {
  const { page } = await open(`/companies/${company.company_id}/deliveries`, replies)
  const all = page.getByRole('table', { name: 'All deliveries' })
  await all.waitFor()
  const states = await all.getByRole('row').locator('td:last-child').allInnerTexts()
  expect(states.map(plain)).toEqual(['Parsed Missing values', 'Parsed Far in the future', 'Parsed'])
  expect(await lookOver(page, 'deliveries-remarks')).toEqual([])
})
