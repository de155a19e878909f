import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lookOver } from '../../acceptance/screens.ts'
import type { ApiResponse } from './api/call-api.ts'
import { apiError, type Replies } from './testing/api-stub.ts'
import { exampleCompany, exampleConnection, exampleSession, exampleSource } from './testing/examples.ts'
import { type OpenedPage, type Pages, startPages } from './testing/open-pages.ts'

let pages: Pages
beforeAll(async () => {
  pages = await startPages()
}, 60_000)
afterAll(() => pages?.[Symbol.asyncDispose]())

let opened: OpenedPage | undefined
afterEach(async () => {
  const { complaints } = opened!
  await opened![Symbol.asyncDispose]()
  expect(complaints).toEqual([])
})

type Shown = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}'>
type Activity = Shown['activity']
type Last = NonNullable<Activity['last_delivery']>
type Preview = ApiResponse<'POST /console/companies/{company_id}/sources/{source_id}/preview'>
type ReadExample = ApiResponse<'POST /console/companies/{company_id}/sources/example'>
type Delivery =
  ApiResponse<'GET /console/companies/{company_id}/deliveries'>['deliveries'][number]

const company = exampleCompany()
const at = (path = ''): string => `/companies/${company.company_id}/sources${path}`

function last(given: Partial<Last> = {}): Last {
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

function activity(given: Partial<Activity> = {}): Activity {
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

const webShop = exampleSource({
  source_id: '01900000-0000-7000-8000-0000000000a2',
  name: 'Web shop',
  system_kind: 'E-commerce',
  document_form: null,
  delivers: 'events',
})

const version: Shown['versions'][number] = {
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

function shown(given: Partial<Shown> = {}): Shown {
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

function preview(given: Partial<Preview> = {}): Preview {
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
        refusals: [
          {
            row: 4,
            field: 'unit_price',
            code: 'number_malformed',
            reason: 'The value is not a number.',
            value: '1 249,00',
            suggestion: '1249.00',
          },
          {
            row: 7,
            field: 'ordered_at',
            code: 'timestamp_no_offset',
            reason: 'The time has no offset.',
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
    metrics: [{ metric: 'revenue', aggregation: 'sum', rows_counted: 133, rows_left_out: 3 }],
    samples: samples.map(([period_start, country, value]) => ({
      metric: 'revenue',
      period_start,
      value,
      labels: { country },
      rows: 3,
      restated: false,
    })),
    samples_truncated: false,
    saving: {
      makes_version: 4,
      rebuilds: true,
      stored: { deliveries: 21_480, content_bytes: 98_000_000, more: false },
    },
    ...given,
  }
}

const readExample: ReadExample = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  rows: 2,
  rows_examined: 2,
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
  first_rows: [['2026-11-20', '1 249,00', 'Kista 2', 'Johan Berg']],
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
    delivery_way: 'webhook',
    document_form: 'csv',
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
    document_form: 'json_lines',
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
    document_form: 'json',
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

async function open(
  path: string,
  given: Replies = {},
  options?: Parameters<Pages['open']>[2],
): Promise<OpenedPage> {
  opened = await pages.open(path, { ...replies, ...given }, options)
  return opened
}

const source = `/${webShop.source_id}`
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

describe('What is seen', () => {
  test.each([
    ['sources', '', 'Sources'],
    ['source-start', source, 'Web shop'],
    ['source-metrics', `${source}/metrics`, 'Web shop'],
    ['source-versions', `${source}/versions`, 'Web shop'],
    ['source-settings', `${source}/settings`, 'Web shop'],
    ['source-change', `${source}/change?step=metrics`, 'Web shop'],
    ['source-fields', `${source}/change?step=fields`, 'Web shop'],
    ['source-delivers', `${source}/change?step=delivers`, 'Web shop'],
    ['source-new', '/new', 'New source'],
  ])(
    'of %s fits a phone and keeps nobody out, light and dark, in each language',
    async (name, path, title) => {
      const { page } = await open(at(path))
      await heading(page, title).waitFor()
      await page.getByText('One moment …').first().waitFor({ state: 'detached' })
      if (path.includes('metrics') && path.includes('change')) await page.getByText('41,318.50').waitFor()
      expect(await lookOver(page, name)).toEqual([])
    },
  )
})
