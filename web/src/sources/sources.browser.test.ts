import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { lookOver } from '../../../testing/browser/screens.ts'
import type { ApiResponse } from '../api/call-api.ts'
import type { DeliveryList } from '../deliveries/delivery-queries.ts'
import { apiError, type Replies } from '../testing/api-stub.ts'
import {
  exampleCompany,
  exampleConnection,
  exampleDelivery,
  exampleSession,
  exampleSource,
} from '../testing/examples.ts'
import { type OpenedCompanyPage, type PageOptions, startPages } from '../testing/start-pages.ts'
import { later } from '../testing/replies.ts'

const openPage = startPages()

type Shown = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}'>
type Activity = Shown['activity']
type Last = NonNullable<Activity['last_delivery']>
type Preview = ApiResponse<'POST /console/companies/{company_id}/sources/{source_id}/preview'>
type ReadExample = ApiResponse<'POST /console/companies/{company_id}/sources/example'>

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
  format: null,
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
      creates_version: 4,
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

function open(path: string, given: Replies = {}, options?: PageOptions): Promise<OpenedCompanyPage> {
  return openPage(path, { ...replies, ...given }, options)
}

const source = `/${webShop.source_id}`
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** Waits until a control has the focus. */
const hasFocus = (control: Locator) =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)

/** The form's initial declaration, as it is sent without edits. */
function unchanged(): object {
  const { fields, event_time, metrics, delivers } = version
  const { name, system_kind, channel, format } = webShop
  return { name, system_kind, channel, format, fields, event_time, metrics, delivers }
}

const webhookShop = { ...shown().source, channel: 'webhook', format: null } as const

const webhook: Replies = {
  'GET /console/companies/{company_id}/sources/{source_id}': () =>
    shown({
      source: webhookShop,
      signing_secrets: [
        { created_at: '2026-11-20T08:00:00Z', ends_at: null },
        { created_at: '2026-01-02T08:00:00Z', ends_at: '2026-11-21T08:00:00Z' },
      ],
    }),
}

describe('The page', () => {
  test.runIf(isFull).each([
    ['sources', '', 'Sources', {}],
    ['source-start', source, 'Web shop', {}],
    ['source-start-webhook', source, 'Web shop', webhook],
    ['source-metrics', `${source}/metrics`, 'Web shop', {}],
    ['source-versions', `${source}/versions`, 'Web shop', {}],
    ['source-settings', `${source}/settings`, 'Web shop', webhook],
    ['source-change', `${source}/change?step=metrics`, 'Web shop', {}],
    ['source-channel', `${source}/change?step=channel`, 'Web shop', {}],
    ['source-fields', `${source}/change?step=fields`, 'Web shop', {}],
    ['source-time', `${source}/change?step=time`, 'Web shop', {}],
    ['source-delivers', `${source}/change?step=delivers`, 'Web shop', {}],
    ['source-new', '/new', 'New source', {}],
    [
      'sources-none',
      '',
      'Sources',
      { 'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }) },
    ],
  ] satisfies [string, string, string, Replies][])(
    'of %s fits a phone and is accessible, light and dark, in each language',
    async (name, path, title, given) => {
      const { page } = await open(at(path), given)
      await heading(page, title).waitFor()
      await page.getByText('One moment …').first().waitFor({ state: 'detached' })
      if (name === 'source-change') await page.getByText('41,318.50').waitFor()
      expect(await lookOver(page, name)).toEqual([])
    },
  )

  test.each([
    '',
    source,
    `${source}/versions`,
    `${source}/change?step=fields`,
    `${source}/change?step=metrics`,
  ])('of %s fits into 320 px', async (path) => {
    const { page } = await open(at(path), {}, { viewport: { width: 320, height: 640 } })
    await heading(page, path === '' ? 'Sources' : 'Web shop').waitFor()
    await page.getByText('One moment …').first().waitFor({ state: 'detached' })
    const over = await page
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(over).toBe(0)
  })
})

describe('The list', () => {
  test('shows the state of each source, with its rhythm and who paused it', async () => {
    const { page } = await open(at())
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await row('Returns').getByText('2 days ago, usually every day').waitFor()
    await row('Returns').getByText('Late', { exact: true }).first().waitFor({ state: 'attached' })
    await row('Mobile app')
      .getByText('Paused by \u2068Johan Berg\u2069: "\u2068moving to new SDK\u2069"')
      .waitFor()
    await row('Kista store').getByText('No production data yet').waitFor()
    await row('Web shop').getByRole('link', { name: '2 of 48 rows refused: open the delivery' }).waitFor()
    await row('Lager').getByText('None yet').waitFor()
  })

  test('pauses a source with a reason, and resumes another', async () => {
    const { page, sentTo } = await open(at(), {
      'POST /console/companies/{company_id}/sources/{source_id}/pause': () => undefined,
      'POST /console/companies/{company_id}/sources/{source_id}/resume': () => undefined,
    })
    await press(page, /^Actions: .*Web shop/)
    await press(page, 'Pause')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('x'.repeat(201))
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByText('The reason is 1 character too long.').waitFor()
    await dialog.getByLabel('Reason').fill(' stocktaking ')
    await dialog.getByLabel('Reason').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(sentTo('POST /console/companies/{company_id}/sources/{source_id}/pause')).toEqual([
      { reason: 'stocktaking' },
    ])
    await press(page, /^Actions: .*Mobile app/)
    await press(page, 'Resume')
    await page.getByRole('status').getByText('accepts deliveries again').waitFor({ state: 'attached' })
  })
})

describe('A new source', () => {
  const made = { ...shown().source, name: 'Kista store' }

  test('is created from a pasted example by keyboard, and the example is not stored', async () => {
    const { page, sentTo, calls } = await open(at('/new'), {
      'POST /console/companies/{company_id}/sources': () => made,
    })
    const next = () => page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.getByLabel('Name', { exact: true }).pressSequentially('Kista store')
    await page.getByLabel('Type of system').pressSequentially('Till')
    await next()
    await page.getByRole('radio', { name: 'Push' }).press('Space')
    await next()
    await page.getByLabel('Paste a few rows').fill('sold_at,amount\n2026-11-20,"1 249,00"')
    await page.getByRole('button', { name: 'Read example' }).press('Enter')
    await page.getByText('1 row would be refused').waitFor()
    expect(await page.getByLabel('Field', { exact: true }).nth(3).inputValue()).toBe('cashier')
    expect(await page.getByRole('checkbox', { name: 'Personal' }).nth(3).isChecked()).toBe(true)
    await next()
    expect(await page.getByRole('radio', { name: 'sold_at' }).isChecked()).toBe(true)
    await next()
    await next()
    await page.getByRole('alert').getByText('Choose events or statements').waitFor()
    await page.getByRole('radio', { name: 'Events' }).press('Space')
    await next()
    await page.getByRole('button', { name: 'Add metric' }).press('Enter')
    await page.getByLabel('Metric', { exact: true }).selectOption('revenue')
    await page.getByLabel('Calculation').selectOption('sum')
    await page.getByLabel('Sum of').selectOption('amount')
    await page.getByLabel('Labels').selectOption('till')
    await page
      .getByText('Adds up amount of every row, per day of sold_at, for each till, in SEK.')
      .first()
      .waitFor()
    await page.clock.runFor(1_000)
    await page.getByText('41,318.50').waitFor()
    const kept = await page.evaluate(() => JSON.stringify(localStorage))
    expect(kept).toContain('Kista store')
    expect(kept).not.toContain('249,00')
    await page.getByRole('button', { name: 'Create source' }).press('Enter')
    await page.waitForURL(`**${at(source)}`)
    expect(sentTo('POST /console/companies/{company_id}/sources')).toEqual([
      {
        name: 'Kista store',
        system_kind: 'Till',
        channel: 'push',
        format: 'csv',
        fields: readExample.fields.map(({ name, type, personal }) => ({ name, type, personal })),
        event_time: 'sold_at',
        metrics: [
          {
            metric: 'revenue',
            aggregation: 'sum',
            field: 'amount',
            filters: [],
            group_by: ['till'],
            period: 'day',
          },
        ],
        delivers: 'events',
      },
    ])
    const previews = calls.filter(({ operation }) => operation.endsWith('/sources/preview'))
    expect(previews.at(-1)!.body).toMatchObject({
      example: { text: 'sold_at,amount\n2026-11-20,"1 249,00"' },
    })
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft'))),
    ).toEqual([])
  })

  test('asks before it is left, and is restored without its example', async () => {
    const { page } = await open(at('/new'))
    await page.getByLabel('Name', { exact: true }).fill('Kista store')
    await page.clock.runFor(1_000)
    await page.getByText(/saved on this device at 11:00/).waitFor()
    await page.getByRole('link', { name: 'Leave' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kista store')
    await press(page, 'Save draft')
    await page.waitForURL(`**${at()}`)
    await page.getByRole('link', { name: 'New source' }).click()
    await page.getByText('You are continuing your draft.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kista store')
    await page.getByLabel('Name', { exact: true }).fill('Kista stores')
    await press(page, 'Start over')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
  })

  test('reports what is missing at the field and at the top, which takes the focus', async () => {
    const { page } = await open(at('/new'))
    await press(page, 'Next')
    const summary = page.getByRole('alert')
    await summary.getByText('2 problems').waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toContain('2 problems')
    await summary.getByRole('link').first().click()
    const name = page.getByLabel('Name', { exact: true })
    expect(await name.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await name.getAttribute('aria-invalid')).toBe('true')
  })

  test('allows typing while other problems remain', async () => {
    const { page } = await open(at('/new'))
    await press(page, 'Next')
    await page.getByRole('alert').getByText('2 problems').waitFor()
    const name = page.getByLabel('Name', { exact: true })
    await name.pressSequentially('Kista store')
    expect(await name.inputValue()).toBe('Kista store')
    expect(await name.evaluate((input) => input === document.activeElement)).toBe(true)
  })

  test('that is left right after the last letter is restored in full', async () => {
    const { page } = await open(at('/new'))
    await page.clock.pauseAt('2026-11-20T10:01:00Z')
    await page.getByLabel('Name', { exact: true }).fill('Kista store')
    await press(page, 'Save draft')
    await page.waitForURL(`**${at()}`)
    await page.clock.resume()
    await page.getByRole('link', { name: 'New source' }).click()
    await page.getByText('You are continuing your draft.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kista store')
  })

  test('keeps the focus near a removed part, and moves it to an opened one', async () => {
    const { page } = await open(at(`${source}/change?step=metrics`))
    await press(page, 'Edit')
    await hasFocus(page.getByLabel('Metric', { exact: true }))
    await press(page, /^Actions: .*Active users/)
    await press(page, 'Remove metric')
    await hasFocus(page.getByRole('button', { name: 'Add metric' }))
    await page.getByRole('button', { name: 'Fields' }).click()
    for (let left = version.fields.length; left > 0; left--) {
      await page
        .getByRole('button', { name: /^Remove field/ })
        .first()
        .click()
    }
    await hasFocus(page.getByRole('button', { name: 'Add field' }))
  })

  test('shows the signing secret of a webhook source once, and continues when it is saved', async () => {
    const stored = {
      draft: {
        revision: null,
        shape_version: null,
        name: 'Returns',
        system_kind: 'Returns desk',
        channel: 'webhook',
        format: '',
        fields: [{ id: 1, name: 'at', type: 'timestamp', personal: false }],
        event_time: 'at',
        delivers: 'events',
        metrics: [],
        next: 2,
      },
      savedAt: '2026-11-20T09:00:00Z',
    }
    const { page } = await open(at('/new'), {
      'POST /console/companies/{company_id}/sources': () => ({
        ...webhookShop,
        signing_secret: 'nws_secret',
      }),
    })
    const key = `numera.draft.3.member-1.${company.company_id}.new`
    await page.evaluate(([key, text]) => localStorage.setItem(key!, text!), [key, JSON.stringify(stored)])
    await page.reload()
    await page.getByText('You are continuing your draft.').waitFor()
    await page.getByRole('button', { name: 'Metrics' }).click()
    await press(page, 'Create source')
    await page.getByText('It is shown only once.').waitFor()
    expect(await page.getByLabel('Signing secret').inputValue()).toBe('nws_secret')
    const on = page.getByRole('button', { name: 'Go to quick start' })
    expect(await on.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'I have saved the secret' }).check()
    await on.click()
    await page.waitForURL(`**${at(source)}`)
  })
})

describe('An example', () => {
  test.each([
    [apiError(400, 'invalid_argument', 'A quote is never closed.'), /did not accept/],
    [
      Response.json(
        {
          code: 'invalid_argument',
          message: 'A quote is never closed.',
          details: { fault: 'open_quote', line: 7 },
        },
        { status: 400 },
      ),
      'The example is not valid on line 7. A quote is never closed.',
    ],
    [
      Response.json(
        { code: 'invalid_argument', message: 'No.', details: { fault: 'spreadsheet', line: null } },
        { status: 400 },
      ),
      /Save it as CSV in UTF-8/,
    ],
  ])('that is invalid says where, and what to do (%#)', async (reply, sentence) => {
    const { page } = await open(at(`${source}/change?step=fields`), {
      'POST /console/companies/{company_id}/sources/example': () => reply.clone(),
    })
    await page.getByLabel('Paste a few rows').fill('a,"b')
    await press(page, 'Read example')
    await page.getByRole('alert').getByText(sentence).waitFor()
  })

  test('beyond 8 MiB is not sent', async () => {
    const { page, calls } = await open(at(`${source}/change?step=fields`))
    await page.getByLabel('Choose file').setInputFiles({
      name: 'large.csv',
      mimeType: 'text/csv',
      buffer: Buffer.alloc(8 * 1024 * 1024 + 1, 'a'),
    })
    await page.getByRole('alert').getByText('It is larger than 8 MiB. Use only its first rows.').waitFor()
    expect(calls.some(({ operation }) => operation.endsWith('/example'))).toBe(false)
  })

  test('beyond 8 MiB with a row per line is cut to its first rows, and says so', async () => {
    const { page, sentTo } = await open(at(`${source}/change?step=fields`))
    await page.getByLabel('Choose file').setInputFiles({
      name: 'large.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`sold_at,amount\n${'2026-11-20,80.00\n'.repeat(500_000)}`),
    })
    await page.getByText('It is larger than 8 MiB, so only the first rows were read.').waitFor()
    const [sent] = sentTo('POST /console/companies/{company_id}/sources/example') as {
      content_base64: string
    }[]
    const rows = Buffer.from(sent!.content_base64, 'base64').toString().split('\n')
    expect([rows[0], rows[1], rows.at(-2), rows.at(-1)]).toEqual([
      'sold_at,amount',
      '2026-11-20,80.00',
      '2026-11-20,80.00',
      '',
    ])
  })

  test('from a file is sent unchanged, and adds missing fields to existing ones', async () => {
    const { page, sentTo } = await open(at(`${source}/change?step=fields`))
    await page.getByLabel('Choose file').setInputFiles({
      name: 'sålt.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([0x6b, 0xf6, 0x70]),
    })
    await press(page, 'Add 4 missing fields')
    expect(sentTo('POST /console/companies/{company_id}/sources/example')).toEqual([
      { content_base64: 'a/Zw' },
    ])
    expect(await page.getByLabel('Field', { exact: true }).count()).toBe(11)
  })
})

describe('A new version', () => {
  const save = 'PUT /console/companies/{company_id}/sources/{source_id}'

  test('is sent whole with its base revision, and a renamed field is renamed in its metrics', async () => {
    const { page, sentTo } = await open(at(`${source}/change?step=fields`), {
      [save]: () => ({ source: shown().source, created_version: true, rebuilds: true }),
    })
    await page.getByLabel('Field', { exact: true }).nth(4).fill('land')
    await press(page, 'Save as version 4')
    await page.waitForURL(`**${at(source)}`)
    const [sent] = sentTo(save) as [{ expected_revision: number; metrics: { group_by: string[] }[] }]
    expect(sent.expected_revision).toBe(shown().source.revision)
    expect(sent.metrics[0]!.group_by).toEqual(['land'])
    expect(sent).toMatchObject({ ...unchanged(), fields: expect.anything(), metrics: expect.anything() })
  })

  test('says what changed, and that stored deliveries are rebuilt', async () => {
    const { page } = await open(at(`${source}/change?step=fields`))
    await press(page, 'Add field')
    await page.getByLabel('Field', { exact: true }).nth(7).fill('channel')
    await page.getByRole('button', { name: 'Metrics' }).click()
    await page.clock.runFor(1_000)
    await page.getByText('Creates shape version 4. New field: \u2068channel\u2069.').waitFor()
    await page.getByText('Rebuilds all 21,480 stored deliveries.').waitFor()
  })

  test('shows a concurrent save side by side, and continues with either', async () => {
    const theirs = { ...shown().source, revision: shown().source.revision + 1, name: 'Shop' }
    const { page, sentTo } = await open(at(`${source}/change?step=name`), {
      [save]: ({ body }) =>
        (body as { expected_revision: number }).expected_revision === theirs.revision
          ? { source: theirs, created_version: false, rebuilds: false }
          : Response.json(
              {
                code: 'conflict',
                message: 'The source was saved by another member meanwhile.',
                field: 'expected_revision',
                details: { source: theirs, version: { ...version, shape_version: 4 } },
              },
              { status: 409 },
            ),
    })
    await page.getByLabel('Name', { exact: true }).fill('Web shop Sweden')
    await press(page, /^Save$/)
    await page
      .getByRole('alert')
      .getByText(/saved this source on .*, while you were editing it/)
      .waitFor()
    const table = page.getByRole('region', { name: 'The saved source and yours' })
    await table.getByRole('row', { name: /Name.*Shop Web shop Sweden/ }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Web shop Sweden')
    expect(await lookOver(page, 'source-conflict')).toEqual([])
    await press(page, 'Continue with mine')
    await press(page, /^Save$/)
    await page.waitForURL(`**${at(source)}`)
    expect(sentTo(save).at(-1)).toMatchObject({ name: 'Web shop Sweden', expected_revision: theirs.revision })
  })

  test('without edits follows a save in another tab', async () => {
    let saved = shown()
    const { page } = await open(at(`${source}/change?step=name`), {
      'GET /console/companies/{company_id}/sources/{source_id}': () => saved,
    })
    const name = page.getByLabel('Name', { exact: true })
    await name.waitFor()
    saved = shown({ source: { ...saved.source, revision: saved.source.revision + 1, name: 'Shop' } })
    await page.clock.runFor(10_000)
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => name.inputValue()).toBe('Shop')
    expect(await page.getByText('Someone else saved this source').count()).toBe(0)
    await page.getByRole('link', { name: 'Leave' }).click()
    await heading(page, 'Sources').waitFor()
  })

  test('discarded for a concurrent save leaves nothing to save', async () => {
    const theirs = { ...shown().source, revision: shown().source.revision + 1, name: 'Shop' }
    const { page } = await open(at(`${source}/change?step=name`), {
      [save]: () =>
        Response.json(
          { code: 'conflict', message: 'Saved.', details: { source: theirs, version } },
          { status: 409 },
        ),
    })
    await page.getByLabel('Name', { exact: true }).fill('Web shop Sweden')
    await press(page, /^Save$/)
    await press(page, 'Use the saved one')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Shop')
    await page.clock.runFor(1_000)
    await page.getByRole('link', { name: 'Leave' }).click()
    await heading(page, 'Sources').waitFor()
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft'))),
    ).toEqual([])
  })

  test('counts refused rows beyond those it lists', async () => {
    const [delivery] = preview().deliveries
    const { page } = await open(at(`${source}/change?step=metrics`), {
      'POST /console/companies/{company_id}/sources/{source_id}/preview': () =>
        preview({ rows_refused: 25, deliveries: [{ ...delivery!, rows_refused: 25 }] }),
    })
    await page.getByText('And 23 more rows.').waitFor()
  })

  test('says which metric would miss values, and how many rows are dated far ahead', async () => {
    const [delivery] = preview().deliveries
    const missing = { metric: 'revenue', field: 'unit_price', rows: 2 }
    const remarked = { ...delivery!, missing_values: [missing], rows_far_ahead: 1 }
    const { page } = await open(at(`${source}/change?step=metrics`), {
      'POST /console/companies/{company_id}/sources/{source_id}/preview': () =>
        preview({ deliveries: [remarked, { ...remarked, artifact_id: 'another' }] }),
    })
    await page
      .getByRole('note', { name: /^Revenue: 4 rows had no .*unit_price.* and added nothing/ })
      .waitFor()
    await page.getByRole('note', { name: '2 rows are dated more than 366 days ahead.' }).waitFor()
    expect(await lookOver(page, 'preview-remarks')).toEqual([])
  })

  test('refused by the service says so at the field, in any step', async () => {
    const { page } = await open(at(`${source}/change?step=delivers`), {
      [save]: () =>
        Response.json(
          {
            code: 'invalid_argument',
            message: 'The value is no number.',
            field: 'metrics[0].filters[0].value',
          },
          { status: 400 },
        ),
    })
    await page.getByRole('radio', { name: 'Statements' }).check()
    await press(page, 'Save as version 4')
    await page.getByRole('alert').getByText('Not accepted: The value is no number.').waitFor()
    const value = page.getByLabel('Value')
    expect(await value.getAttribute('aria-invalid')).toBe('true')
  })

  test('with the name of another source says so at the name', async () => {
    const { page } = await open(at(`${source}/change?step=delivers`), {
      [save]: () =>
        Response.json({ code: 'conflict', message: 'Choose another name.', field: 'name' }, { status: 409 }),
    })
    await page.getByRole('radio', { name: 'Statements' }).check()
    await press(page, 'Save as version 4')
    await page.getByRole('alert').getByText('Choose another name.').waitFor()
    const name = page.getByRole('textbox', { name: /^Name/ })
    expect(await name.getAttribute('aria-invalid')).toBe('true')
  })

  test('keeps its input while the service is unavailable', async () => {
    const { page } = await open(at(`${source}/change?step=name`), { [save]: () => Response.error() })
    await page.getByLabel('Name', { exact: true }).fill('Web shop Sweden')
    await press(page, /^Save$/)
    await page.getByRole('alert').getByText('The service could not be reached').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Web shop Sweden')
  })
})

describe('A source', () => {
  test('waits for its first delivery, and then shows it', async () => {
    let came = false
    const { page } = await open(at(source), {
      deliveryChanges: () => (came ? '2' : '1'),
      'GET /console/companies/{company_id}/sources/{source_id}': () =>
        shown({ activity: activity({ last_delivery: null }) }),
      'GET /console/companies/{company_id}/deliveries': ({ query }) => {
        expect(query).toEqual({ source: webShop.source_id, limit: '1' })
        return {
          deliveries: came ? [exampleDelivery({ key: 'try-1', sandbox: true })] : [],
          next_cursor: null,
          count: null,
          searched_to: null,
        }
      },
    })
    await page.getByText('Waiting for your first delivery …').waitFor()
    came = true
    await page.getByRole('heading', { name: 'Your first delivery has arrived' }).waitFor()
    await page.getByText('46 accepted, 2 refused').waitFor()
    await page
      .getByRole('status')
      .getByText(/try-1.* has arrived/)
      .waitFor({ state: 'attached' })
    expect(await page.getByText('Waiting for your first delivery …').count()).toBe(0)
  })

  test('says which metric missed values in the delivery that arrived', async () => {
    const missing = { metric: 'revenue', field: 'amount', rows: 1 }
    const { page } = await open(at(source), {
      'GET /console/companies/{company_id}/deliveries': () => ({
        deliveries: [exampleDelivery({ missing_values: [missing] })],
        next_cursor: null,
        count: null,
        searched_to: null,
      }),
    })
    await page.getByRole('note', { name: /^Revenue: 1 row had no .*amount.* and added nothing/ }).waitFor()
  })

  test('with a delivery never claims to wait for its first, nor that the last has just arrived', async () => {
    const last = later<DeliveryList>({
      deliveries: [exampleDelivery({ key: 'nightly-1' })],
      next_cursor: null,
      count: null,
      searched_to: null,
    })
    const { page } = await open(at(source), {
      'GET /console/companies/{company_id}/deliveries': last.reply,
    })
    await page.getByRole('heading', { name: 'See it arrive' }).waitFor()
    expect(await page.getByText('Waiting for your first delivery …').count()).toBe(0)
    last.send()
    await page.getByRole('heading', { name: 'Last delivery' }).waitFor()
    expect(await page.getByText('has arrived').count()).toBe(0)
  })

  test('warns about a sandbox connection with production data, and the reverse', async () => {
    const first = await open(at(source))
    await first.page
      .getByText('This connection sends test data, but the source has production data.')
      .waitFor()
    await first.page.getByRole('combobox', { name: 'Choose a connection' }).selectOption({ index: 1 })
    await first.page.getByText('What it sends counts in reports.').waitFor()
    await first.page.getByText(`/v1/ingest?source_id=${webShop.source_id}`).first().waitFor()
    await first[Symbol.asyncDispose]()
    const { page } = await open(at(source), {
      'GET /console/companies/{company_id}/sources/{source_id}': () =>
        shown({ activity: activity({ last_delivery: last({ sandbox: true }) }) }),
    })
    await page.getByRole('combobox', { name: 'Choose a connection' }).selectOption({ index: 1 })
    await page.getByText('This is a production connection.').waitFor()
  })

  test.for([
    [null, undefined],
    [59, 'About 1 minute left.'],
    [110, 'About 2 minutes left.'],
    [9_100, 'About 3 hours left.'],
  ] as const)('being rebuilt shows its progress, and with %s seconds left: %s', async ([seconds, said]) => {
    const rebuild = { state: 'parsing', done: 1_200, total: 21_480, seconds_left: seconds } as const
    const { page } = await open(at(source), {
      'GET /console/companies/{company_id}/sources/{source_id}': () =>
        shown({ activity: activity({ rebuild }) }),
    })
    await page.getByText('1,200 of 21,480 deliveries done.').waitFor()
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('1200')
    if (said === undefined) expect(await page.getByText(/ left\.$| left\. /).count()).toBe(0)
    else expect(await page.getByText(said).count()).toBe(1)
  })

  test('does not announce an earlier delivery', async () => {
    const { page } = await open(at(source), {
      'GET /console/companies/{company_id}/deliveries': () => ({
        deliveries: [exampleDelivery({ key: 'try-1' })],
        next_cursor: null,
        count: null,
        searched_to: null,
      }),
    })
    await page.getByRole('heading', { name: 'Last delivery' }).waitFor()
    expect(
      await page
        .getByRole('status')
        .getByText(/has arrived/)
        .count(),
    ).toBe(0)
    // It counts, so its figures are one press away.
    await page.getByRole('link', { name: 'View in reports' }).waitFor()
  })

  test('with webhooks shows a new secret after a quick second press, and asks before it is left', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const { page } = await open(at(`${source}/settings`), {
      ...webhook,
      'POST /console/companies/{company_id}/sources/{source_id}/rotate-signing-secret': async () => {
        await answered
        return { ...webhookShop, signing_secret: 'nws_new' }
      },
    })
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await press(page, 'Rotate')
    const dialog = page.getByRole('dialog', { name: /signing secret of/ })
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    answer()
    const secret = dialog.getByLabel('Signing secret')
    await secret.waitFor()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    expect(await secret.inputValue()).toBe('nws_new')
    expect(await secret.isVisible()).toBe(true)
    await page.goBack()
    await page.getByRole('dialog', { name: 'Leave without the secret?' }).getByText('Stay').click()
    await dialog.getByRole('checkbox', { name: 'I have saved the secret' }).check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('with webhooks rotates its secret, shows the overlap and ends it', async () => {
    const { page, sentTo } = await open(at(`${source}/settings`), {
      ...webhook,
      'POST /console/companies/{company_id}/sources/{source_id}/rotate-signing-secret': () => ({
        ...webhookShop,
        signing_secret: 'nws_new',
      }),
      'POST /console/companies/{company_id}/sources/{source_id}/end-previous-signing-secret': () => undefined,
    })
    await page
      .getByRole('row', { name: /Previous/ })
      .getByText('22 hours left')
      .waitFor()
    await press(page, 'Revoke now')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke now' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(
      sentTo('POST /console/companies/{company_id}/sources/{source_id}/end-previous-signing-secret'),
    ).toHaveLength(1)
    await press(page, 'Rotate')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The one before it, which is still valid, is revoked immediately.').waitFor()
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    expect(await dialog.getByLabel('Signing secret').inputValue()).toBe('nws_new')
    await page.keyboard.press('Escape')
    await dialog.getByRole('checkbox', { name: 'I have saved the secret' }).check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain('nws_new')
  })
})
