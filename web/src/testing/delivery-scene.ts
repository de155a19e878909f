import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { ApiResponse } from '../api/call-api.ts'
import type { Call, Replies } from './api-stub.ts'
import {
  exampleCompany,
  exampleConnection,
  exampleDelivery,
  exampleDeliveryInFull,
  exampleRefusedCall,
  exampleSession,
  exampleSource,
} from './examples.ts'

export type Rows = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}/rows'>
export type Delivery = ReturnType<typeof exampleDelivery>

/** Polls for longer than by default, for busy machines. */
export const soon = { timeout: 10_000 }

const ekeby = exampleCompany()
export const at = (path: string): string => `/companies/${ekeby.company_id}/deliveries${path}`
export const list = 'GET /console/companies/{company_id}/deliveries'
export const one = 'GET /console/companies/{company_id}/deliveries/{artifact_id}'
export const listRows = 'GET /console/companies/{company_id}/deliveries/{artifact_id}/rows'
export const listRefusals = 'GET /console/companies/{company_id}/deliveries/{artifact_id}/refusals'
const listSamples = 'GET /console/companies/{company_id}/deliveries/{artifact_id}/samples'
export const listLast = 'GET /console/companies/{company_id}/last-deliveries'
export const listCalls = 'GET /console/companies/{company_id}/refused-calls'

export const id = (kind: string, number: number): string =>
  `01900000-0000-7000-8000-${kind}${String(number).padStart(12 - kind.length, '0')}`

const names = ['Web shop', 'Ledger', 'Returns', 'Mobile app', 'Marketplace', 'Kista store']
export const sources = names.map((name, index) =>
  exampleSource({
    source_id: id('a', index + 1),
    name,
    delivers: name === 'Ledger' ? 'statements' : 'events',
    activity: {
      last_delivery: null,
      freshness: { last_received_at: null, usual_seconds: 86_400, late: name === 'Returns' },
      rebuild: null,
    },
  }),
)

export function delivery(number: number, given: Partial<Delivery> = {}): Delivery {
  return exampleDelivery({
    artifact_id: id('d', number),
    source_id: sources[0]!.source_id,
    key: `order-batch-${20_900 + number}`,
    delivers: 'events',
    rows_refused: 0,
    ...given,
  })
}

export const unread = {
  rows_accepted: null,
  rows_refused: null,
  rows_date_alone: null,
  missing_values: null,
  rows_far_ahead: null,
} as const
/** Newest first, as the service sends them. */
export const deliveries: Delivery[] = [
  delivery(31, { received_at: '2026-11-20T09:58:12.481Z', rows_refused: 2 }),
  delivery(30, {
    received_at: '2026-11-20T09:58:05Z',
    key: 'backfill-2026-11-a',
    format: 'csv',
    state: 'queued',
    content_bytes: 7_900_000,
    ...unread,
  }),
  delivery(29, {
    received_at: '2026-11-20T09:57:40Z',
    source_id: sources[5]!.source_id,
    key: 'receipt-10417',
    sandbox: true,
    rows_accepted: 1,
    content_bytes: 200,
  }),
  delivery(28, {
    received_at: '2026-11-20T09:52:07Z',
    key: 'orders-2026-11-20',
    format: 'csv',
    state: 'unreadable',
    reason: 'The quote in line 4 is never closed.',
    ...unread,
    rows_accepted: 0,
    rows_refused: 0,
    rows_date_alone: 0,
    missing_values: [],
    rows_far_ahead: 0,
  }),
  ...[27, 26, 25, 24].map((number) =>
    delivery(number, { received_at: `2026-11-20T0${number - 18}:48:09Z`, rows_accepted: 20 + number }),
  ),
  delivery(23, { received_at: '2026-11-18T22:40:00Z', source_id: sources[2]!.source_id, channel: 'webhook' }),
]

export function toList(
  found: Delivery[],
  given: Partial<ApiResponse<typeof list>> = {},
): ApiResponse<typeof list> {
  return {
    deliveries: found,
    count: { deliveries: found.length, more: false },
    searched_to: null,
    next_cursor: null,
    ...given,
  }
}

export const fields: Rows['fields'] = [
  { name: 'ordered_at', type: 'timestamp', personal: false },
  { name: 'customer_id', type: 'text', personal: true },
  { name: 'customer_email', type: 'text', personal: true },
  { name: 'quantity', type: 'number', personal: false },
  { name: 'unit_price', type: 'number', personal: false },
  { name: 'country', type: 'text', personal: false },
  { name: 'status', type: 'text', personal: false },
]

function row(number: number, orderedAt: string, unitPrice: string, country = 'SE'): Rows['rows'][number] {
  const masked = { masked: true } as const
  return {
    row: number,
    line: null,
    values: [
      { text: orderedAt },
      masked,
      masked,
      { text: '1' },
      { text: unitPrice },
      { text: country },
      { text: 'paid' },
    ],
    cells: null,
    refusal: null,
  }
}

export const storedRows: Rows['rows'] = [
  row(1, '2026-11-21T13:49:02+01:00', '349.00'),
  row(2, '2026-11-21T13:50:41+01:00', '129.50', 'NO'),
  row(3, '2026-11-21', '89.00', 'FI'),
  {
    ...row(4, '2026-11-21T13:52:17+01:00', '1 249,00'),
    refusal: {
      field: 'unit_price',
      code: 'number_malformed',
      reason: 'The value is not a number such as 1249.50, without comma, separators or unit.',
    },
  },
  row(5, '2026-11-21T13:53:30+01:00', '59.00'),
  row(6, '2026-11-21T13:55:08+01:00', '2499.00', 'DE'),
  {
    ...row(7, '2026-11-21 13:58', '349.00', 'DK'),
    refusal: {
      field: 'ordered_at',
      code: 'timestamp_no_offset',
      reason: 'The time has no offset: add Z, or one such as +01:00.',
    },
  },
  row(8, '2026-11-21T13:59:46+01:00', '749.00'),
]

export function toRowList(given: Partial<Rows> = {}): Rows {
  return { fields, rows: storedRows, refusals_known_to: null, broken: null, next_cursor: 'after-8', ...given }
}

export const inFull = exampleDeliveryInFull({ ...deliveries[0]! })

export const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [ekeby] }),
  'GET /console/companies/{company_id}': () =>
    ({ ...ekeby, created_at: '2026-01-01T08:00:00Z', owners: [] }) as never,
  'GET /console/known-metrics': () => ({
    metrics: [
      { key: 'revenue', name: 'Revenue', unit: 'SEK' },
      { key: 'active_users', name: 'Active users', unit: 'count' },
    ],
  }),
  'GET /console/companies/{company_id}/sources': () => ({ sources, next_cursor: null }),
  'GET /console/companies/{company_id}/connections': () => ({
    connections: [exampleConnection({ name: 'Web shop sync' })],
    next_cursor: null,
  }),
  [list]: () => toList(deliveries, { count: { deliveries: 2_911, more: false }, next_cursor: 'more' }),
  [listLast]: ({ query }) => ({
    deliveries:
      query['sandbox'] === 'true'
        ? [deliveries[2]!]
        : [
            { ...deliveries[0]!, rows_date_alone: 3 },
            delivery(1, {
              source_id: sources[1]!.source_id,
              received_at: '2026-11-16T06:02:00Z',
              rows_accepted: 561,
            }),
            delivery(2, {
              source_id: sources[2]!.source_id,
              received_at: '2026-11-18T22:40:00Z',
              rows_accepted: 12,
            }),
            delivery(3, {
              source_id: sources[3]!.source_id,
              received_at: '2026-11-09T09:15:00Z',
              rows_accepted: 2_204,
            }),
            delivery(4, {
              source_id: sources[4]!.source_id,
              received_at: '2026-11-19T05:00:00Z',
              rows_accepted: 96,
            }),
          ],
    next_cursor: null,
  }),
  [listCalls]: () => ({
    refused_calls: [
      exampleRefusedCall(),
      exampleRefusedCall({
        call_id: id('e', 2),
        channel: 'webhook',
        source_id: sources[2]!.source_id,
        connection: null,
        signed: false,
        path: `/v1/webhooks/${sources[2]!.source_id}`,
        status: 404,
        code: 'not_found',
        field: null,
        calls: 14,
        called_at: '2026-11-18T08:00:00Z',
      }),
    ],
    count: 2,
    next_cursor: null,
  }),
  [one]: () => inFull,
  [listRefusals]: () => ({
    fields,
    groups: storedRows.flatMap((row) =>
      row.refusal === null ? [] : [{ ...row.refusal, rows: 1, examples: [row] }],
    ),
  }),
  [listRows]: ({ query }) =>
    query['refused'] === 'true'
      ? toRowList({ rows: storedRows.filter(({ refusal }) => refusal !== null), next_cursor: null })
      : toRowList(),
  [listSamples]: () => ({
    samples: [
      {
        metric: 'revenue',
        period: 'day',
        period_start: '2026-11-21',
        labels: { country: 'SE' },
        before: '22898.5',
        gave: '18420',
        rows: 40,
        added: null,
        after: '41318.5',
        superseded: false,
      },
      {
        metric: 'active_users',
        period: 'week',
        period_start: '2026-11-16',
        labels: {},
        before: '13089',
        gave: '44',
        rows: 46,
        added: 31,
        after: '13120',
        superseded: false,
      },
    ],
    count: 7,
    next_cursor: 'more',
  }),
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
export const table = (page: Page, name: string | RegExp) => page.getByRole('table', { name })
export const rowTable = (page: Page) => table(page, /^Rows of the delivery/)
/** The number of calls that read the list. */
export const countLists = (calls: readonly Call[]): number =>
  calls.filter(({ operation }) => operation === list).length

/** The number of calls, once none has been made for a while. */
export async function getLastCount(calls: readonly Call[]): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const before = calls.length
    await sleep(1_000)
    if (calls.length === before) return before
  }
  throw new Error('the calls never end')
}

/** The listed keys, from the top. */
export const listed = (page: Page): Promise<string[]> =>
  table(page, 'All deliveries').locator('code').allTextContents()

/** Hides the page as another tab in front of it would, or shows it again. */
export function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}
