import { describe, expect, test } from 'vitest'
import { apiError } from '../testing/api-stub.ts'
import {
  at,
  deliveries,
  delivery,
  getLastCount,
  list,
  listed,
  listLast,
  countLists,
  replies,
  setVisibility,
  soon,
  table,
  toList,
} from '../testing/delivery-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('Live deliveries', () => {
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
    await expect.poll(() => countLists(calls), soon).toBeGreaterThan(1)
    await setVisibility(page, 'hidden')
    // Calls in flight finish, and may be the ones that reload the lists.
    const before = await getLastCount(calls)
    version = '2'
    await page.clock.runFor(20_000)
    expect(calls.length).toBe(before)
    expect(await listed(page)).toHaveLength(8)
    await setVisibility(page, 'visible')
    await page.clock.runFor(2_000)
    await expect.poll(() => listed(page), soon).toHaveLength(9)
  })

  test.each([
    ['without an answer', () => Response.error()],
    ['with 503', () => apiError(503, 'internal')],
  ])('miss nothing if the stream is lost %s, and use it again once it is back', async (_how, lost) => {
    let version = 1
    let isStreamLost = false
    const { page } = await open(at(''), {
      ...replies,
      deliveryChanges: () => (isStreamLost ? lost() : String(version)),
      [listLast]: () =>
        isStreamLost
          ? new Response(JSON.stringify({ deliveries: [], next_cursor: null }), {
              headers: { etag: `"${version}"`, 'content-type': 'application/json' },
            })
          : // Polling shows no change.
            new Response(JSON.stringify({ deliveries: [], next_cursor: null }), {
              headers: { 'content-type': 'application/json' },
            }),
      [list]: () => toList(deliveries.slice(0, version)),
    })
    await expect.poll(() => listed(page), soon).toHaveLength(1)
    isStreamLost = true
    version = 2
    await page.clock.runFor(4_000)
    await expect.poll(() => listed(page), soon).toHaveLength(2)
    isStreamLost = false
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
    const before = countLists(calls)
    await page.reload()
    await page.clock.runFor(1_000)
    await expect.poll(() => listed(page), soon).toHaveLength(1)
    // Once when it is opened, and once after the first event.
    await expect.poll(() => countLists(calls), soon).toBeGreaterThanOrEqual(before + 2)
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
          setInterval(() => send('heartbeat'), 1_000)
        }
        close() {}
      }`)
    await page.reload()
    await page.clock.runFor(1_000)
    await expect.poll(() => listed(page), soon).toHaveLength(9)
    // The first event reloads the lists.
    const before = await getLastCount(calls)
    const arrived = delivery(32, { received_at: '2026-11-20T09:59:00Z' })
    await page.evaluate(
      (deliveries) =>
        (globalThis as unknown as { send: (type: string, data: object) => void }).send('change', {
          etag: '"2"',
          since: '"1"',
          deliveries,
          refused_calls: false,
        }),
      [arrived],
    )
    await expect.poll(async () => (await listed(page))[0], soon).toBe('order-batch-20932')
    expect(await listed(page)).toHaveLength(10)
    expect(calls.length).toBe(before)
  })

  test('poll without extending the session of an idle page', async () => {
    const { page } = await open(at(''), replies)
    await page.addInitScript(silentStream)
    await page.reload()
    await expect.poll(() => listed(page), soon).not.toHaveLength(0)
    let isIdle: string | undefined
    page.on('request', (request) => {
      if (/last-deliveries/.test(request.url())) isIdle = request.headers()['x-page-idle']
    })
    // It is idle after one minute.
    await page.clock.runFor(64_000)
    await expect.poll(() => isIdle, soon).toBe('yes')
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
    const announcement = page.getByText('1 new delivery')
    await announcement.waitFor({ state: 'attached' })
    const first = (await announcement.elementHandle())!
    version = 3
    await expect.poll(() => listed(page), soon).toHaveLength(8)
    await announcement.waitFor({ state: 'attached' })
    expect(await first.evaluate((element) => element.isConnected)).toBe(false)
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
    await setVisibility(page, 'hidden')
    version = '2'
    // By then, returning would have reloaded it.
    await page.clock.runFor(120_000)
    await setVisibility(page, 'visible')
    await page.getByText('Paused: there are new deliveries').waitFor()
    await page.clock.runFor(4_000)
    expect(await listed(page)).toHaveLength(8)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => listed(page), soon).toHaveLength(9)
  })
})
