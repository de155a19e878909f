import { describe, expect, test } from 'vitest'
import {
  at,
  deliveries,
  delivery,
  inFull,
  list,
  listCalls,
  listed,
  listLast,
  countLists,
  replies,
  soon,
  sources,
  table,
  toList,
} from '../testing/delivery-scene.ts'
import { inTurn, later } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'
import type { DeliveryList } from './delivery-queries.ts'

const open = startPages()

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
    await expect.poll(() => countLists(calls), soon).toBe(2)
    await page.getByRole('button', { name: 'Pause' }).click()
    underWay.send()
    await page.getByText('Paused: new deliveries are not shown').waitFor()
    version = '2'
    await page.getByText('Paused: there are new deliveries').waitFor()
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

  test('explain what a delivery is before the first one', async () => {
    const { page } = await open(at('?range=all'), {
      ...replies,
      [list]: () => toList([]),
      [listLast]: () => ({ deliveries: [], next_cursor: null }),
    })
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
    await page.getByRole('link', { name: 'Go to sources' }).waitFor()
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
})
