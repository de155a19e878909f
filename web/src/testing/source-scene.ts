import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ApiResponse } from '../api/call-api.ts'
import type { Replies } from './api-stub.ts'
import { exampleCompany, exampleConnection, exampleSession, exampleSource } from './examples.ts'
import { type OpenedCompanyPage, type PageOptions, startPages } from './start-pages.ts'

export type Shown = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}'>
export type Activity = Shown['activity']
export type Last = NonNullable<Activity['last_delivery']>
export type Preview = ApiResponse<'POST /console/companies/{company_id}/sources/{source_id}/preview'>
export type ReadExample = ApiResponse<'POST /console/companies/{company_id}/sources/example'>

export const company = exampleCompany()
export const at = (path = ''): string => `/companies/${company.company_id}/sources${path}`

export function last(given: Partial<Last> = {}): Last {
  return {
    artifact_id: '01900000-0000-7000-8000-0000000000d1',
    idempotency_key: 'order-batch-20931',
    received_at: '2026-11-20T09:56:00Z',
    sandbox: false,
    state: 'parsed',
    rows_accepted: 46,
    rows_refused: 0,
    rows_date_alone: 0,
    ...given,
  }
}

export function activity(given: Partial<Activity> = {}): Activity {
  const last_delivery = given.last_delivery === undefined ? last() : given.last_delivery
  return {
    last_delivery,
    freshness: {
      last_received_at: last_delivery?.received_at ?? null,
      usual_seconds: 900,
      late: false,
    },
    rebuild: null,
    ...given,
  }
}

export const webShop = exampleSource({
  source_id: '01900000-0000-7000-8000-0000000000a2',
  name: 'Web shop',
  system_kind: 'E-commerce',
  format: null,
  delivers: 'events',
})

export const version: Shown['versions'][number] = {
  shape_version: 3,
  fields: [
    { name: 'ordered_at', type: 'timestamp', personal: false },
    { name: 'quantity', type: 'number', personal: false },
    { name: 'unit_price', type: 'number', personal: false },
    { name: 'status', type: 'text', personal: false },
    { name: 'country', type: 'text', personal: false },
    { name: 'customer_id', type: 'text', personal: true },
    { name: 'customer_email', type: 'text', personal: true },
  ],
  event_time: 'ordered_at',
  metrics: [
    {
      metric: 'revenue',
      aggregation: 'sum',
      field: 'quantity',
      times: 'unit_price',
      filters: [{ field: 'status', comparison: '≠', value: 'cancelled' }],
      group_by: ['country'],
      period: 'day',
    },
    {
      metric: 'active_users',
      aggregation: 'count_distinct',
      field: 'customer_id',
      filters: [],
      group_by: [],
      period: 'week',
    },
  ],
  delivers: 'events',
  saved_by: { member_id: 'member-1', name: 'Olivia Ägare' },
  saved_at: '2026-10-02T08:00:00Z',
}

export function shown(given: Partial<Shown> = {}): Shown {
  const { activity: _activity, ...source } = webShop
  return {
    source,
    activity: activity(),
    stored: { deliveries: 21_480, content_bytes: 98_000_000, more: false },
    signing_secrets: [],
    versions: [
      version,
      {
        ...version,
        shape_version: 2,
        fields: version.fields.slice(0, -1),
        metrics: version.metrics.slice(0, 1),
        saved_at: '2026-05-02T08:00:00Z',
      },
    ],
    next_cursor: null,
    ...given,
  }
}

export function preview(given: Partial<Preview> = {}): Preview {
  const samples = [
    ['2026-11-20', 'Sweden', '41318.50'],
    ['2026-11-20', 'Norway', '12940.00'],
    ['2026-11-20', 'Finland', '8105.25'],
    ['2026-11-19', 'Sweden', '2499.00'],
  ] as const
  return {
    of: 'deliveries',
    sandbox: false,
    deliveries: [
      {
        artifact_id: last().artifact_id,
        idempotency_key: 'order-batch-20931',
        received_at: last().received_at,
        state: 'parsed',
        reason: null,
        dropped_keys: [],
        rows_accepted: 46,
        rows_refused: 2,
        rows_date_alone: 0,
        missing_values: [],
        rows_far_ahead: 0,
        far_ahead: [],
        refusals: [
          {
            row: 4,
            field: 'unit_price',
            code: 'number_malformed',
            reason: 'The value is not a number such as 1249.50, without comma, separators or unit.',
            value: '1 249,00',
            suggestion: '1249.00',
          },
          {
            row: 7,
            field: 'ordered_at',
            code: 'timestamp_no_offset',
            reason: 'The time has no offset: add Z, or one such as +01:00.',
            value: '2026-11-21 13:58',
            suggestion: '2026-11-21T13:58:00+01:00',
          },
        ],
      },
    ],
    complete: true,
    rows_read: 138,
    rows_accepted: 136,
    rows_refused: 2,
    metrics: [{ metric: 'revenue', aggregation: 'sum', rows_left_out: 3 }],
    samples: samples.map(([period_start, country, value]) => ({
      metric: 'revenue',
      period_start,
      value,
      labels: { country },
      rows: 3,
      restated: false,
    })),
    samples_truncated: false,
    compared: null,
    saving: {
      creates_version: 4,
      rebuilds: true,
      stored: { deliveries: 21_480, content_bytes: 98_000_000, more: false },
    },
    ...given,
  }
}

export const readExample: ReadExample = {
  format: 'csv',
  encoding: 'utf-8',
  rows: 2,
  fields: [
    {
      name: 'sold_at',
      type: 'timestamp',
      personal: false,
      personal_guess: null,
      filled: 2,
      examples: ['2026-11-20'],
    },
    {
      name: 'amount',
      type: 'number',
      personal: false,
      personal_guess: null,
      filled: 2,
      examples: ['1 249,00', '80.00'],
    },
    { name: 'till', type: 'text', personal: false, personal_guess: null, filled: 2, examples: ['Kista 2'] },
    {
      name: 'cashier',
      type: 'text',
      personal: true,
      personal_guess: { kind: 'name', by: 'values' },
      filled: 2,
      examples: ['Johan Berg'],
    },
  ],
  event_time: 'sold_at',
  warnings: [
    { code: 'would_be_refused', field: 'amount', row: 1, value: '1 249,00', suggestion: '1249.00', rows: 1 },
  ],
}

/** A company with a source in every state. */
const list = [
  exampleSource({
    activity: activity({ last_delivery: last({ received_at: '2026-11-16T06:02:00Z', rows_accepted: 561 }) }),
  }),
  { ...webShop, activity: activity({ last_delivery: last({ rows_refused: 2 }) }) },
  exampleSource({
    source_id: '01900000-0000-7000-8000-0000000000a3',
    name: 'Returns',
    system_kind: 'Returns desk',
    channel: 'webhook',
    format: 'csv',
    delivers: 'events',
    shape_version: 1,
    activity: activity({
      last_delivery: last({ received_at: '2026-11-17T22:40:00Z', rows_accepted: 12 }),
      freshness: { last_received_at: '2026-11-17T22:40:00Z', usual_seconds: 86_400, late: true },
    }),
  }),
  exampleSource({
    source_id: '01900000-0000-7000-8000-0000000000a4',
    name: 'Mobile app',
    system_kind: 'App analytics',
    format: 'json_lines',
    delivers: 'events',
    state: 'paused',
    paused_at: '2026-11-09T09:15:00Z',
    paused_by: { member_id: 'member-2', name: 'Johan Berg' },
    pause_reason: 'moving to new SDK',
    activity: activity({
      last_delivery: last({ received_at: '2026-11-09T09:15:00Z', rows_accepted: 2_204 }),
    }),
  }),
  exampleSource({
    source_id: '01900000-0000-7000-8000-0000000000a5',
    name: 'Kista store',
    system_kind: 'Till',
    format: 'json',
    delivers: 'events',
    shape_version: 1,
    activity: activity({
      last_delivery: last({ sandbox: true, rows_accepted: 1 }),
      freshness: { last_received_at: null, usual_seconds: null, late: false },
    }),
  }),
  exampleSource({
    source_id: '01900000-0000-7000-8000-0000000000a6',
    name: 'Lager \u202E<b>norr</b> 📦 ' + 'mycket långt namn '.repeat(4),
    activity: activity({
      last_delivery: null,
      freshness: { last_received_at: null, usual_seconds: null, late: false },
    }),
  }),
]

const replies: Replies = {
  'GET /console/session': () => exampleSession({ companies: [company] }),
  'GET /console/known-metrics': () => ({
    metrics: [
      { key: 'active_users', name: 'Active users', unit: 'count' },
      { key: 'revenue', name: 'Revenue', unit: 'SEK' },
    ],
  }),
  'GET /console/companies/{company_id}/sources': () => ({ sources: list, next_cursor: null }),
  'GET /console/companies/{company_id}/connections': () => ({
    connections: [
      exampleConnection({
        name: 'Web shop, trying out',
        kind: 'sandbox',
        source: { source_id: webShop.source_id, name: webShop.name },
      }),
      exampleConnection({
        connection_id: '01900000-0000-7000-8000-0000000000c2',
        name: 'Everything nightly',
        source: null,
      }),
    ],
    next_cursor: null,
  }),
  'GET /console/companies/{company_id}/sources/{source_id}': () => shown(),
  'GET /console/companies/{company_id}/sources/{source_id}/days': () => ({
    from: '2026-09-22',
    days: Array.from({ length: 58 }, (_, index) => ({
      day: new Date(Date.UTC(2026, 8, 22 + index)).toISOString().slice(0, 10),
      deliveries: 24,
      rows_accepted: index % 7 === 5 ? 120 : 900 + ((index * 37) % 200),
      rows_refused: index % 19 === 4 ? 48 : 0,
      unreadable: 0,
    })),
  }),
  'GET /console/companies/{company_id}/last-deliveries': () => ({ deliveries: [], next_cursor: null }),
  'GET /console/companies/{company_id}/deliveries': () => ({
    deliveries: [],
    next_cursor: null,
    count: null,
    searched_to: null,
  }),
  'POST /console/companies/{company_id}/sources/{source_id}/preview': () => preview(),
  'POST /console/companies/{company_id}/sources/preview': () =>
    preview({
      of: 'example',
      saving: null,
      deliveries: preview().deliveries.map((one) => ({ ...one, artifact_id: null })),
    }),
  'POST /console/companies/{company_id}/sources/example': () => readExample,
}

/** Starts a browser with the pages of sources, for the tests of a file. */
export function startSourcePages() {
  const openPage = startPages()
  return (path: string, given: Replies = {}, options?: PageOptions): Promise<OpenedCompanyPage> =>
    openPage(path, { ...replies, ...given }, options)
}

export const source = `/${webShop.source_id}`
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** Waits until a control has the focus. */
export const hasFocus = (control: Locator) =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)

/** The form's initial declaration, as it is sent without edits. */
export function unchanged(): object {
  const { fields, event_time, metrics, delivers } = version
  const { name, system_kind, channel, format } = webShop
  return { name, system_kind, channel, format, fields, event_time, metrics, delivers }
}

export const webhookShop = { ...shown().source, channel: 'webhook', format: null } as const

export const webhook: Replies = {
  'GET /console/companies/{company_id}/sources/{source_id}': () =>
    shown({
      source: webhookShop,
      signing_secrets: [
        { created_at: '2026-11-20T08:00:00Z', ends_at: null },
        { created_at: '2026-01-02T08:00:00Z', ends_at: '2026-11-21T08:00:00Z' },
      ],
    }),
}
