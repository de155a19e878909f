import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import type { ApiResponse } from '../api/call-api.ts'
import type { DeliveryList } from './delivery-queries.ts'
import { apiError, type Call, type Replies } from '../testing/api-stub.ts'
import {
  exampleCompany,
  exampleConnection,
  exampleDelivery,
  exampleDeliveryInFull,
  exampleRefusedCall,
  exampleSession,
  exampleSource,
} from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'
import { inTurn, later } from '../testing/replies.ts'

type Rows = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}/rows'>
type Delivery = ReturnType<typeof exampleDelivery>

const open = startPages()

/** For busy machines. */
const soon = { timeout: 10_000 }

const ekeby = exampleCompany()
const at = (path: string): string => `/companies/${ekeby.company_id}/deliveries${path}`
const list = 'GET /console/companies/{company_id}/deliveries'
const one = 'GET /console/companies/{company_id}/deliveries/{artifact_id}'
const listRows = 'GET /console/companies/{company_id}/deliveries/{artifact_id}/rows'
const listSamples = 'GET /console/companies/{company_id}/deliveries/{artifact_id}/samples'
const listLast = 'GET /console/companies/{company_id}/last-deliveries'
const listCalls = 'GET /console/companies/{company_id}/refused-calls'

const id = (kind: string, number: number): string =>
  `01900000-0000-7000-8000-${kind}${String(number).padStart(12 - kind.length, '0')}`

const names = ['Web shop', 'Ledger', 'Returns', 'Mobile app', 'Marketplace', 'Kista store']
const sources = names.map((name, index) =>
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

function delivery(number: number, given: Partial<Delivery> = {}): Delivery {
  return exampleDelivery({
    artifact_id: id('d', number),
    source_id: sources[0]!.source_id,
    key: `order-batch-${20_900 + number}`,
    delivers: 'events',
    rows_refused: 0,
    ...given,
  })
}

const unread = {
  rows_accepted: null,
  rows_refused: null,
  rows_date_alone: null,
  missing_values: null,
  rows_far_ahead: null,
} as const
/** Newest first, as the service sends them. */
const deliveries: Delivery[] = [
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

function toList(found: Delivery[], given: Partial<ApiResponse<typeof list>> = {}): ApiResponse<typeof list> {
  return {
    deliveries: found,
    count: { deliveries: found.length, more: false },
    searched_to: null,
    next_cursor: null,
    ...given,
  }
}

const fields: Rows['fields'] = [
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

const keptRows: Rows['rows'] = [
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

function rowsAnswer(given: Partial<Rows> = {}): Rows {
  return { fields, rows: keptRows, refusals_known_to: null, broken: null, next_cursor: 'after-8', ...given }
}

const inFull = exampleDeliveryInFull({ ...deliveries[0]! })

const replies: Replies = {
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
  [listRows]: ({ query }) =>
    query['refused'] === 'true'
      ? rowsAnswer({ rows: keptRows.filter(({ refusal }) => refusal !== null), next_cursor: null })
      : rowsAnswer(),
  [listSamples]: () => ({
    samples: [
      {
        metric: 'revenue',
        period: 'day',
        period_start: '2026-11-21',
        labels: { country: 'SE' },
        before: '22898.50',
        gave: '18420.00',
        rows: 40,
        added: null,
        after: '41318.50',
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

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const table = (page: Page, name: string | RegExp) => page.getByRole('table', { name })
const kept = (page: Page) => table(page, /^Rows of the delivery/)
/** The listed keys, from the top. */
const listsAmong = (calls: readonly Call[]): number =>
  calls.filter(({ operation }) => operation === list).length

/** The number of calls, once none has been made for a while. */
async function getLastCount(calls: readonly Call[]): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const before = calls.length
    await sleep(1_000)
    if (calls.length === before) return before
  }
  throw new Error('calls come without end')
}

const listed = (page: Page): Promise<string[]> =>
  table(page, 'All deliveries').locator('code').allTextContents()

/** As if another tab or window were in front. */
function see(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

describe('The deliveries', () => {
  test('show the last one of each source: refused rows, late, test data only', async () => {
    const { page } = await open(at(''), replies)
    const last = table(page, 'Last delivery of each source')
    await last.waitFor()
    const lines = (await last.getByRole('row').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').trim(),
    )
    expect(lines.slice(1)).toEqual([
      'Web shop Today, 10:58:12 46 2 3',
      'Ledger 16 Nov, 07:02 561 0 3',
      'Returns 18 Nov, 23:40 Late 12 0 3',
      'Mobile app 9 Nov, 10:15 2,204 0 3',
      'Marketplace 19 Nov, 06:00 96 0 3',
      'Kista store Today, 10:57:40 Test 1 0 3',
    ])
    await last.getByRole('link', { name: '2 refused' }).click()
    await page.waitForURL(`**${at(`/${inFull.artifact_id}`)}?rows=refused`)
  })

  test('are listed with their outcome', async () => {
    const { page } = await open(at(''), replies)
    const all = table(page, 'All deliveries')
    await all.waitFor()
    expect(await listed(page)).toEqual(deliveries.map(({ key }) => key))
    await page.getByText('9 of 2,911 deliveries in the last 30 days').waitFor()
    const states = await all.getByRole('row').locator('td:last-child').allInnerTexts()
    expect(states.map((text) => text.replaceAll(/\s+/g, ' ')).slice(0, 4)).toEqual([
      'Parsed',
      'Queued',
      'Parsed Test',
      'Unreadable',
    ])
  })

  test('show a new one automatically, announce it, and keep the others', async () => {
    let version = '1'
    const { page } = await open(at(''), {
      ...replies,
      deliveryChanges: () => version,
      [list]: () =>
        toList(
          version === '1'
            ? deliveries
            : [delivery(32, { received_at: '2026-11-20T09:59:00Z' }), ...deliveries],
        ),
    })
    await table(page, 'All deliveries').waitFor()
    version = '2'
    await expect.poll(() => listed(page), soon).toHaveLength(10)
    expect((await listed(page))[0]).toBe('order-batch-20932')
    await page.getByText('1 new delivery').waitFor({ state: 'attached' })
  })

  test('poll every two seconds without a stream', async () => {
    let version = 1
    const { page } = await open(at(''), {
      ...replies,
      // A stream that ends repeatedly without news.
      deliveryChanges: () => '1',
      [listLast]: () =>
        new Response(JSON.stringify({ deliveries: [], next_cursor: null }), {
          headers: { etag: `"${version}"`, 'content-type': 'application/json' },
        }),
      [list]: () => toList(deliveries.slice(0, version)),
    })
    await table(page, 'All deliveries').waitFor()
    version = 2
    await page.clock.runFor(4_000)
    await expect.poll(() => listed(page), soon).toHaveLength(2)
  })

  test('pause while the page is hidden, and catch up within two seconds', async () => {
    let version = '1'
    const { page, calls } = await open(at(''), {
      ...replies,
      deliveryChanges: () => version,
      [list]: () => toList(version === '1' ? deliveries.slice(1) : deliveries),
    })
    await expect.poll(() => listed(page), soon).toHaveLength(8)
    // The first event reloads the lists.
    await expect.poll(() => listsAmong(calls), soon).toBeGreaterThan(1)
    await see(page, 'hidden')
    // Calls in flight finish, and may be the ones that reload the lists.
    const before = await getLastCount(calls)
    version = '2'
    await page.clock.runFor(20_000)
    expect(calls.length).toBe(before)
    expect(await listed(page)).toHaveLength(8)
    await see(page, 'visible')
    await page.clock.runFor(2_000)
    await expect.poll(() => listed(page), soon).toHaveLength(9)
  })

  test.each([
    ['without an answer', () => Response.error()],
    ['with 503', () => apiError(503, 'internal')],
  ])('miss nothing if the stream is lost %s, and use it again once it is back', async (_how, lost) => {
    let version = 1
    let isLost = false
    const { page } = await open(at(''), {
      ...replies,
      deliveryChanges: () => (isLost ? lost() : String(version)),
      [listLast]: () =>
        isLost
          ? new Response(JSON.stringify({ deliveries: [], next_cursor: null }), {
              headers: { etag: `"${version}"`, 'content-type': 'application/json' },
            })
          : // Nothing is learned by asking.
            new Response(JSON.stringify({ deliveries: [], next_cursor: null }), {
              headers: { 'content-type': 'application/json' },
            }),
      [list]: () => toList(deliveries.slice(0, version)),
    })
    await expect.poll(() => listed(page), soon).toHaveLength(1)
    isLost = true
    version = 2
    await page.clock.runFor(4_000)
    await expect.poll(() => listed(page), soon).toHaveLength(2)
    isLost = false
    version = 3
    // After a refusal it is reopened in half a minute.
    await page.clock.runFor(40_000)
    await expect.poll(() => listed(page), soon).toHaveLength(3)
  })

  /** Sends the state when it is opened, then nothing, as if its other end were gone. */
  const silentStream = `
    let streams = 0
    globalThis.EventSource = class extends EventTarget {
      static CLOSED = 2
      readyState = 1
      constructor() {
        super()
        const data = JSON.stringify({ etag: '"' + ++streams + '"', deliveries: null })
        setTimeout(() => this.dispatchEvent(new MessageEvent('change', { data })))
      }
      close() {}
    }`

  test('reopen a stream that falls silent', async () => {
    let version = 1
    const { page, calls } = await open(at(''), {
      ...replies,
      [list]: () => toList(deliveries.slice(0, version)),
    })
    await page.addInitScript(silentStream)
    const before = listsAmong(calls)
    await page.reload()
    await page.clock.runFor(1_000)
    await expect.poll(() => listed(page), soon).toHaveLength(1)
    // Once when it is opened, and once after the first event.
    await expect.poll(() => listsAmong(calls), soon).toBeGreaterThanOrEqual(before + 2)
    version = 2
    await page.clock.runFor(3_000)
    await expect.poll(() => listed(page), soon).toHaveLength(2)
  })

  test('show the content of an event without reloading the lists', async () => {
    const { page, calls } = await open(at(''), replies)
    await page.addInitScript(`
      globalThis.EventSource = class extends EventTarget {
        static CLOSED = 2
        readyState = 1
        constructor() {
          super()
          globalThis.send = (type, data) => this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))
          setTimeout(() => send('change', { etag: '"1"', deliveries: null }))
        }
        close() {}
      }`)
    await page.reload()
    await page.clock.runFor(1_000)
    await expect.poll(() => listed(page), soon).toHaveLength(9)
    await page.clock.runFor(1_000)
    const before = calls.length
    const came = delivery(32, { received_at: '2026-11-20T09:59:00Z' })
    await page.evaluate(
      (deliveries) =>
        (globalThis as unknown as { send: (type: string, data: object) => void }).send('change', {
          etag: '"2"',
          since: '"1"',
          deliveries,
          refused_calls: false,
        }),
      [came],
    )
    await expect.poll(() => listed(page), soon).toHaveLength(10)
    expect((await listed(page))[0]).toBe('order-batch-20932')
    expect(calls.length).toBe(before)
  })

  test('poll without extending the session of an idle page', async () => {
    const { page } = await open(at(''), replies)
    await page.addInitScript(silentStream)
    await page.reload()
    await expect.poll(() => listed(page), soon).not.toHaveLength(0)
    await page.clock.runFor(61_000)
    const polled = page.waitForRequest(/last-deliveries/)
    await page.clock.runFor(3_000)
    expect((await polled).headers()['x-page-idle']).toBe('yes')
  })

  test('are announced one by one, even with identical texts', async () => {
    let version = 1
    const { page } = await open(at(''), {
      ...replies,
      deliveryChanges: () => String(version),
      [list]: () => toList(deliveries.slice(4 - version)),
    })
    await expect.poll(() => listed(page), soon).toHaveLength(6)
    version = 2
    const said = page.getByText('1 new delivery')
    await said.waitFor({ state: 'attached' })
    const first = (await said.elementHandle())!
    version = 3
    await expect.poll(() => listed(page), soon).toHaveLength(8)
    await said.waitFor({ state: 'attached' })
    expect(await first.evaluate((element) => element.isConnected)).toBe(false)
  })

  test('can be paused and resumed', async () => {
    let version = '1'
    const underWay = later(toList(deliveries))
    const { page, calls } = await open(at(''), {
      ...replies,
      deliveryChanges: () => version,
      [list]: inTurn<DeliveryList | Promise<DeliveryList>>(
        () => toList(deliveries.slice(1)),
        underWay.reply,
        () => toList(deliveries),
      ),
    })
    await table(page, 'All deliveries').waitFor()
    // The first event reloads the lists, which does not shift them either.
    await expect.poll(() => listsAmong(calls), soon).toBe(2)
    await page.getByRole('button', { name: 'Pause' }).click()
    underWay.send()
    await page.getByText('Paused: new deliveries are not shown').waitFor()
    version = '2'
    await page.getByText('Paused: there are new deliveries').waitFor()
    expect(await listed(page)).toHaveLength(8)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => listed(page), soon).toHaveLength(9)
  })

  test('stay unchanged while paused, even after leaving and returning', async () => {
    let version = '1'
    const { page } = await open(at(''), {
      ...replies,
      deliveryChanges: () => version,
      [list]: () => toList(version === '1' ? deliveries.slice(1) : deliveries),
    })
    await expect.poll(() => listed(page), soon).toHaveLength(8)
    await page.getByRole('button', { name: 'Pause' }).click()
    await see(page, 'hidden')
    version = '2'
    // By then, returning would have reloaded it.
    await page.clock.runFor(120_000)
    await see(page, 'visible')
    await page.getByText('Paused: there are new deliveries').waitFor()
    await page.clock.runFor(4_000)
    expect(await listed(page)).toHaveLength(8)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => listed(page), soon).toHaveLength(9)
  })

  test('are filtered by the address, and the filters update it', async () => {
    const { page, calls } = await open(
      at(`?source=${sources[0]!.source_id}&state=refused&kind=production&range=7d`),
      replies,
    )
    await table(page, 'All deliveries').waitFor()
    const getQuery = (): Record<string, string> =>
      calls.findLast(({ operation }) => operation === list)!.query
    expect(getQuery()).toEqual({
      limit: '50',
      source: sources[0]!.source_id,
      state: 'refused',
      sandbox: 'false',
      from: '2026-11-14',
    })
    await page.getByRole('combobox', { name: 'Channel' }).selectOption('Webhook')
    await page.getByRole('radio', { name: 'Test' }).check()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Any status')
    await page.getByRole('searchbox', { name: 'Key or delivery ID' }).fill('order-')
    await expect.poll(() => new URL(page.url()).search, soon).toContain('search=order-')
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      source: sources[0]!.source_id,
      channel: 'webhook',
      kind: 'test',
      range: '7d',
      search: 'order-',
    })
    await expect
      .poll(() => getQuery(), soon)
      .toMatchObject({ channel: 'webhook', sandbox: 'true', search: 'order-' })
    await page.getByRole('combobox', { name: 'Received' }).selectOption('Selected days')
    await page.getByLabel('First day').fill('2026-11-01')
    await page.getByLabel('Last day').fill('2026-11-03')
    await expect.poll(() => getQuery(), soon).toMatchObject({ from: '2026-11-01', to: '2026-11-04' })
  })

  test('offer to clear filters that nothing matches', async () => {
    const { page } = await open(at('?state=unreadable&search=zzz'), {
      ...replies,
      [list]: ({ query }) => toList(query['state'] === undefined ? deliveries : []),
    })
    await page.getByRole('heading', { name: 'No deliveries match the filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await table(page, 'All deliveries').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
  })

  test('explain what a delivery is before the first one', async () => {
    const { page } = await open(at('?range=all'), {
      ...replies,
      [list]: () => toList([]),
      [listLast]: () => ({ deliveries: [], next_cursor: null }),
    })
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    await page.getByRole('link', { name: 'Go to sources' }).waitFor()
  })

  test('explain what a delivery is before the first one, for any range', async () => {
    const { page } = await open(at(''), {
      ...replies,
      [list]: () => toList([]),
      [listLast]: () => ({ deliveries: [], next_cursor: null }),
    })
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    expect(await page.getByText('in the last 30 days').count()).toBe(0)
  })

  test('lead to older ones if the range is empty', async () => {
    const { page } = await open(at(''), {
      ...replies,
      [list]: ({ query }) => toList(query['from'] === undefined ? deliveries : []),
    })
    await page.getByRole('heading', { name: 'No deliveries in the last 30 days' }).waitFor()
    await page.getByRole('button', { name: 'Show deliveries from any time' }).click()
    await table(page, 'All deliveries').waitFor()
    expect(new URL(page.url()).search).toBe('?range=all')
  })

  test('load more, and show how far back the search went', async () => {
    const { page, calls } = await open(at('?search=order-batch-2'), {
      ...replies,
      [list]: ({ query }) =>
        query['cursor'] === undefined
          ? toList(deliveries.slice(0, 3), {
              count: { deliveries: 10_000, more: true },
              searched_to: '2026-10-03T08:00:00Z',
              next_cursor: 'further',
            })
          : toList(deliveries.slice(3), { count: null }),
    })
    await page.getByText('3 of more than 10,000 deliveries · Searched back to 3 Oct 2026, 10:00.').waitFor()
    await page.getByRole('button', { name: 'Search further back' }).click()
    await expect.poll(() => listed(page), soon).toHaveLength(9)
    expect(calls.findLast(({ operation }) => operation === list)!.query).toMatchObject({
      cursor: 'further',
      limit: '200',
    })
    expect(await page.getByRole('button', { name: 'Search further back' }).count()).toBe(0)
  })

  test('of many sources show a few, and the others on request', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      exampleSource({ source_id: id('a', index + 1), name: `Source ${index}` }),
    )
    const { page } = await open(at(''), {
      ...replies,
      'GET /console/companies/{company_id}/sources': () => ({ sources: many, next_cursor: null }),
      [listLast]: ({ query }) => ({
        deliveries:
          query['sandbox'] === 'true'
            ? []
            : many.map(({ source_id }, index) =>
                delivery(index, { source_id, rows_refused: index % 10 === 9 ? 1 : 0 }),
              ),
        next_cursor: null,
      }),
    })
    await page.getByText('22 more sources, 3 with refused rows').waitFor()
    await page.getByRole('link', { name: 'All 30 sources' }).click()
    await expect
      .poll(() => table(page, 'Last delivery of each source').getByRole('row').count(), soon)
      .toBe(31)
    expect(new URL(page.url()).search).toBe('?sources=all')
  })

  test('on a phone are two lines each, with the filters in a dialog', async () => {
    const { page } = await open(at(''), replies, { viewport: { width: 390, height: 844 } })
    const items = page.getByRole('list', { name: 'All deliveries' }).getByRole('listitem')
    await expect.poll(() => items.count(), soon).toBe(9)
    await expect
      .poll(async () => (await items.first().innerText()).replaceAll(/\s+/g, ' '), soon)
      .toBe('Web shop 10:58:12 46 accepted, 2 refused Parsed')
    await page.getByRole('button', { name: 'Filters' }).click()
    const dialog = page.getByRole('dialog', { name: 'Filters' })
    await dialog.getByRole('combobox', { name: 'Status' }).selectOption('Unreadable')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    expect(new URL(page.url()).search).toBe('?state=unreadable')
  })

  test('keep what is shown if reloading fails, and say so', async () => {
    let isAway = false
    let version = '1'
    const { page } = await open(at(''), {
      ...replies,
      deliveryChanges: () => version,
      [list]: () =>
        isAway ? apiError(503, 'internal', 'No turn.', { 'retry-after': '5' }) : toList(deliveries),
    })
    await table(page, 'All deliveries').waitFor()
    isAway = true
    version = '2'
    await page.getByRole('alert').getByText('That did not work').waitFor()
    expect(await listed(page)).toHaveLength(9)
  })

  test('can be opened by keyboard', async () => {
    const { page } = await open(at(''), replies)
    const link = table(page, 'All deliveries').getByRole('link').first()
    await link.focus()
    await page.keyboard.press('Enter')
    await heading(page, /Delivery from/).waitFor()
  })

  test('look as they should', async () => {
    const { page } = await open(at(''), replies)
    await table(page, 'All deliveries').waitFor()
    await page.getByText('9 of 2,911').waitFor()
    expect(await lookOver(page, 'deliveries')).toEqual([])
  })
})

describe('The refused calls', () => {
  test('show what was refused and what to do about it', async () => {
    const { page, calls } = await open(at(''), replies)
    await page.getByRole('link', { name: /Refused calls/ }).click()
    const refused = table(page, 'Refused calls, newest first')
    await refused.waitFor()
    expect(new URL(page.url()).search).toBe('?tab=calls')
    const lines = (await refused.getByRole('row').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').trim(),
    )
    expect(lines[1]).toContain('409 key_reused field idempotency_key')
    expect(lines[1]).toContain('Use a new key for a different body.')
    expect(lines[2]).toContain('14 times within a second')
    expect(lines[2]).toContain('Returns Not signed')
    await page.getByRole('combobox', { name: 'Channel' }).selectOption('Read')
    await expect
      .poll(() => calls.findLast(({ operation }) => operation === listCalls)!.query, soon)
      .toEqual({ limit: '50', channel: 'read' })
  })

  test('can be empty', async () => {
    const { page } = await open(at('?tab=calls'), {
      ...replies,
      [listCalls]: () => ({ refused_calls: [], count: 0, next_cursor: null }),
    })
    await page.getByRole('heading', { name: 'No refused calls in the last 30 days' }).waitFor()
  })

  test('look as they should', async () => {
    const { page } = await open(at('?tab=calls'), replies)
    await table(page, 'Refused calls, newest first').waitFor()
    expect(await lookOver(page, 'refused-calls')).toEqual([])
  })
})

describe('1 delivery', () => {
  const path = at(`/${inFull.artifact_id}`)

  test('shows its receipt and its outcome', async () => {
    const { page } = await open(path, replies)
    await heading(page, /Delivery from .*Web shop/).waitFor()
    await page.getByText('Received 20 Nov 2026, 10:58:12.481').waitFor()
    await page.getByText('Push, JSON').waitFor()
    await page.getByText('3, events').waitFor()
    await page.getByText('coupon, utm_source').waitFor()
    await page
      .getByText(/48 rows/)
      .first()
      .waitFor()
    await page.getByText('9c41f7d1…02ae').waitFor()
    await page.getByText('2 rows were refused. The other 46 count.').waitFor()
    await page.getByText('Do not send accepted rows again.').waitFor()
    expect(await page.getByRole('link', { name: 'Earlier delivery' }).getAttribute('href')).toBe(
      at(`/${inFull.older_artifact_id}`),
    )
    expect(await page.getByRole('link', { name: 'Later delivery' }).count()).toBe(0)
  })

  test('of a statements source says to send whole periods again', async () => {
    const statement = { ...inFull, source_id: sources[1]!.source_id, delivers: 'statements' as const }
    const { page } = await open(path, { ...replies, [one]: () => statement })
    await page.getByText('send each of their periods in full, with a new key').waitFor()
    await page.getByRole('button', { name: 'Correct with curl' }).click()
    await page.getByText(/Export these periods again to .*corrected\.json/).waitFor()
    await page.getByText('--data-binary @corrected.json').waitFor()
  })

  test('of a source whose mode has changed says which applies now', async () => {
    const { page } = await open(path, {
      ...replies,
      [one]: () => ({ ...inFull, source_id: sources[1]!.source_id, delivers: 'events' as const }),
    })
    await page.getByText('The source sent events when this was received. It now sends statements').waitFor()
  })

  test('shows its rows in order, refused cells outlined and personal fields masked', async () => {
    const { page } = await open(path, replies)
    await page.getByText('are personal and masked.').waitFor()
    const lines = (await kept(page).getByRole('row').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').trim(),
    )
    expect(lines[4]).toMatch(/^4 2026-11-21T13:52:17\+01:00 .*1 249,00 SE paid$/)
    expect(lines[5]).toMatch(
      /unit_price.* is not a number\. Spaces and commas are not allowed\. Send 1249\.00$/,
    )
    expect(lines[9]).toMatch(/has no UTC offset\. Send 2026-11-21T13:58:00\+01:00, or only the date$/)
    expect(await kept(page).getByText('masked').count()).toBe(16)
    const cell = kept(page).getByRole('cell', { name: '1 249,00', exact: true })
    expect(await cell.evaluate((element) => getComputedStyle(element).boxShadow)).toMatch(/inset$/)
  })

  test('shows more rows, or only refused ones, by its address', async () => {
    const { page, calls } = await open(path, replies)
    await page.getByRole('button', { name: 'Show rows 9–48' }).click()
    await expect
      .poll(() => calls.filter(({ operation }) => operation === listRows).map(({ query }) => query), soon)
      .toEqual([{ limit: '20' }, { limit: '200', cursor: 'after-8' }])
    await page.getByRole('radio', { name: 'Refused 2' }).check()
    await page.waitForURL('**?rows=refused')
    await expect.poll(() => kept(page).getByRole('rowheader').allInnerTexts(), soon).toEqual(['4', '7'])
  })

  test('copies its current address', async () => {
    const { page } = await open(path, replies)
    await page.getByRole('radio', { name: 'Refused 2' }).check()
    await page.waitForURL('**?rows=refused')
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void (document.body.dataset['copied'] = text)
    })
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.locator('body').getAttribute('data-copied')).toBe(page.url())
  })

  test('marks broken, truncated and missing values, and cells without a column', async () => {
    const { page } = await open(path, {
      ...replies,
      [listRows]: () => ({
        fields: fields.slice(0, 2),
        rows: [
          {
            row: 1,
            line: 2,
            values: [{ text: 'x'.repeat(1_000), characters: 12_345 }, null],
            cells: null,
            refusal: null,
          },
          {
            row: 2,
            line: 3,
            values: [{ text: 'K\uFFFDpm', broken: true }, null],
            cells: null,
            refusal: null,
          },
          {
            row: 3,
            line: 4,
            values: null,
            cells: 3,
            refusal: { field: null, code: 'cells_differ', reason: '' },
          },
          {
            row: 4,
            line: 5,
            values: [null, { masked: true }],
            cells: null,
            refusal: { field: 'ordered_at', code: 'event_time_missing', reason: '' },
          },
        ],
        refusals_known_to: 104,
        broken: { row: 5, reason: 'The quote in line 6 is never closed.' },
        next_cursor: null,
      }),
    })
    await page.getByText('… 12,345 characters in total').waitFor()
    await page.getByText(/Not UTF-8/).waitFor()
    await page.getByText(/^3 cells belong to no column/).waitFor()
    await page.getByText('The row does not have as many cells as the header row.').waitFor()
    await page.getByText('It is the event time, which every row needs').waitFor()
    await page.getByText('The content cannot be read from row 5 onwards.').waitFor()
    await page.getByText('Those after row 104 are not marked.').waitFor()
    expect(await lookOver(page, 'delivery-broken')).toEqual([])
  })

  test('that is queued updates automatically once it is parsed', async () => {
    let version = '1'
    const queued = { ...inFull, state: 'queued' as const, parsed_at: null, refusals: [], ...unread }
    const { page } = await open(path, {
      ...replies,
      deliveryChanges: () => version,
      [one]: () => (version === '1' ? queued : inFull),
    })
    await page.getByText('The delivery is stored and waiting to be parsed.').waitFor()
    version = '2'
    await page.getByText('2 rows were refused').waitFor()
    expect(await page.getByText('The delivery is stored and waiting to be parsed.').count()).toBe(0)
  })

  test('that is parsed while open keeps its rows until their refusals are known', async () => {
    let version = '1'
    const rows = later(rowsAnswer())
    let isAsked = false
    const queued = { ...inFull, state: 'queued' as const, parsed_at: null, refusals: [], ...unread }
    const { page } = await open(path, {
      ...replies,
      deliveryChanges: () => version,
      [one]: () => (version === '1' ? queued : inFull),
      [listRows]: () => {
        if (version === '1') return rowsAnswer({ rows: keptRows.slice(0, 3).map((row) => ({ ...row })) })
        isAsked = true
        return rows.reply()
      },
    })
    await expect.poll(() => kept(page).getByRole('rowheader').count(), soon).toBe(3)
    version = '2'
    await expect.poll(() => isAsked, soon).toBe(true)
    await page.getByText('2 rows were refused').waitFor()
    expect(await kept(page).getByRole('rowheader').count()).toBe(3)
    rows.send()
    await expect.poll(() => kept(page).getByRole('rowheader').count(), soon).toBe(8)
  })

  test('that is unreadable says why, and shows what could be read', async () => {
    const { page } = await open(path, {
      ...replies,
      [one]: () => ({ ...inFull, ...deliveries[3]!, refusals: [] }),
      [listRows]: () => rowsAnswer({ rows: keptRows.slice(0, 2), next_cursor: null }),
    })
    await page.getByText('The quote in line 4 is never closed.').waitFor()
    await page.getByText('send everything again with a new key').waitFor()
    await expect.poll(() => kept(page).getByRole('rowheader').count(), soon).toBe(2)
  })

  test('shows the samples that it changed, digit by digit', async () => {
    const { page } = await open(path, replies)
    const samples = table(page, /^Samples that the delivery changed/)
    // The list of sources has its name.
    await samples.getByText(/^Revenue/).waitFor()
    const lines = (await samples.getByRole('row').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' ').trim(),
    )
    expect(lines.slice(1)).toEqual([
      'Revenue, SEK 21 Nov 2026 SE 22,898.50 +18,420.00 41,318.50',
      'Active users Week 47, 16–22 Nov – 13,089 +31 13,120',
    ])
    await page.getByText('7, the first 2 shown').waitFor()
  })

  test('offers a corrected copy as curl, with a new key and without a secret', async () => {
    const { page } = await open(path, replies)
    await page.getByRole('button', { name: 'Correct with curl' }).click()
    await page.waitForURL('**?curl=open')
    const dialog = page.getByRole('dialog', { name: 'Send a corrected copy' })
    await dialog.getByText('2 values were corrected').waitFor()
    await dialog.getByText(/FILL IN with your values: .*customer_id.*customer_email/).waitFor()
    const code = await dialog.getByRole('region', { name: 'Then' }).innerText()
    const sent = JSON.parse(code.slice(code.indexOf('{'), code.indexOf('\nEND_OF_ROWS')))
    expect(sent).toMatchObject({
      idempotency_key: expect.stringMatching(/^order-batch-20931-corrected-202611201\d{5}$/),
      shape_version: 3,
      payload: [
        { unit_price: '1249.00', customer_id: 'FILL IN' },
        { ordered_at: '2026-11-21T13:58:00+01:00' },
      ],
    })
    expect(code).toContain('"$NUMERA_SECRET"')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Correct with curl')
  })

  test('on a phone shows refused rows first, each with what to send', async () => {
    const { page } = await open(path, replies, { viewport: { width: 390, height: 844 } })
    const blocks = page.getByRole('list', { name: 'Refused rows' }).getByRole('listitem')
    await expect.poll(() => blocks.count(), soon).toBe(2)
    expect(await blocks.first().innerText()).toContain('1249.00')
    await page.getByRole('button', { name: 'Show all 48 stored rows' }).click()
    await kept(page).waitFor()
    expect(new URL(page.url()).search).toBe('?rows=all')
  })

  test('that does not exist says so', async () => {
    const { page } = await open(path, { ...replies, [one]: () => apiError(404, 'not_found') })
    await page.getByText('This does not exist, or you do not have access to it.').waitFor()
  })

  test('with hostile names, many fields and long values fits the screen', async () => {
    const hostile = '<b>x</b>\u202Eevil\u200B🧨'.repeat(10)
    const wide = Array.from({ length: 200 }, (_, index) => ({
      name: index === 0 ? hostile : `field_${index}`,
      type: 'text' as const,
      personal: index % 2 === 1,
    }))
    const { page } = await open(
      path,
      {
        ...replies,
        'GET /console/companies/{company_id}/sources': () => ({
          sources: [{ ...sources[0]!, name: hostile }],
          next_cursor: null,
        }),
        [one]: () => ({
          ...inFull,
          key: 'k'.repeat(200),
          dropped_keys: Array.from({ length: 50 }, () => 'd'.repeat(200)),
        }),
        [listRows]: () =>
          rowsAnswer({
            fields: wide,
            rows: [
              {
                row: 1,
                line: null,
                cells: null,
                values: wide.map(({ personal }) =>
                  personal ? { masked: true } : { text: 'w'.repeat(1_000) },
                ),
                refusal: { field: hostile, code: 'label_too_long', reason: '' },
              },
            ],
          }),
      },
      { viewport: { width: 320, height: 700 } },
    )
    await page.getByText('100 fields are personal and masked.').waitFor()
    for (const width of [320, 1_280, 2_560]) {
      await page.setViewportSize({ width, height: 900 })
      await expect
        .poll(
          () => page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
          soon,
        )
        .toBe(0)
    }
  })

  test('looks as it should', async () => {
    const { page } = await open(path, replies)
    await heading(page, /Delivery from/).waitFor()
    await page.getByText('Show rows 9').waitFor()
    expect(await lookOver(page, 'delivery')).toEqual([])
  })

  test('looks as it should with the command open', async () => {
    const { page } = await open(`${path}?curl=open`, replies)
    await page.getByText('Then', { exact: true }).waitFor()
    expect(await lookOver(page, 'delivery-curl')).toEqual([])
  })
})
