import { describe, expect, test } from 'vitest'
import { pauseSource } from '../../company/sources/pause-source.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedMember, seedSource } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import {
  byCountry,
  startReportScene,
  readCards,
  statements,
} from '../../../testing/in-process/scenes/report-scene.ts'

const { context, app, openShop, deliver } = await startReportScene()

describe('cards', () => {
  test('a card has the last finished month, those it is compared with, and what is going on', async () => {
    const shop = await openShop(byCountry)
    await deliver(shop, [
      { at: '2025-02-03', amount: '100', country: 'SE' },
      { at: '2026-01-31', amount: '-7', country: 'SE' },
      { at: '2026-02-01', amount: '1.25', country: 'SE' },
      { at: '2026-02-28', amount: '2', country: 'NO' },
      { at: '2026-03-14', amount: '5', country: 'NO' },
    ])
    const body = await readCards(shop)
    expect(body).toMatchObject({ today: '2026-03-15', time_zone: 'Europe/Stockholm', next_cursor: null })
    expect(body.reports).toHaveLength(1)
    expect(body.reports[0]).toMatchObject({
      source_id: shop.sourceId,
      source_name: 'Shop',
      source_state: 'active',
      paused_at: null,
      paused_by: null,
      metric: 'revenue',
      name: 'Revenue',
      unit: 'SEK',
      aggregation: 'sum',
      combines: 'sum',
      period: 'day',
      grain: 'month',
      total: true,
      complete: true,
      restated_periods: [],
      latest: { period_start: '2026-02-01', value: '3.25', restated: null },
      previous: { period_start: '2026-01-01', value: '-7' },
      year_before: { period_start: '2025-02-01', value: '100' },
      unfinished: { period_start: '2026-03-01', value: '5' },
      freshness: { last_received_at: '2026-03-01T12:00:00.000Z', usual_seconds: null, late: false },
    })
    const { sparkline } = body.reports[0]
    expect(sparkline).toHaveLength(13)
    expect(sparkline[0]).toEqual({ period_start: '2025-03-01', value: null, finished: true })
    expect(
      sparkline.slice(-3).map(({ value, finished }: Record<string, unknown>) => [value, finished]),
    ).toEqual([
      ['-7', true],
      ['3.25', true],
      ['5', false],
    ])
  })

  test('a source that has been silent for years still has its last period', async () => {
    const shop = await openShop()
    await deliver(shop, [{ at: '2019-05-05', amount: '8' }])
    expect((await readCards(shop)).reports[0]).toMatchObject({
      latest: { period_start: '2019-05-01', value: '8' },
      previous: { period_start: '2019-04-01', value: null },
      unfinished: { period_start: '2026-03-01', value: null },
    })
  })

  test('what is going on, and what lies ahead, is no finished period', async () => {
    const shop = await openShop()
    await deliver(shop, [
      { at: '2026-03-02', amount: '8' },
      { at: '2027-03-02', amount: '8' },
    ])
    expect((await readCards(shop)).reports[0]).toMatchObject({
      latest: null,
      previous: null,
      year_before: null,
      unfinished: { value: '8' },
    })
  })

  test('a distinct count by label has no total', async () => {
    const shop = await openShop({
      metrics: [
        testMetric({
          metric: 'active_users',
          aggregation: 'count_distinct',
          field: 'customer',
          period: 'week',
          group_by: ['country'],
        }),
      ],
    })
    await deliver(shop, [{ at: '2026-03-03', customer: 'ada', country: 'SE' }])
    expect((await readCards(shop)).reports[0]).toMatchObject({
      name: 'Active users',
      unit: 'count',
      grain: 'week',
      combines: null,
      total: false,
      latest: { period_start: '2026-03-02', value: null },
    })
  })

  test('a restated month is shown for a while', async () => {
    const shop = await openShop(statements)
    const rows = [{ at: '2026-01-10', amount: '1', country: 'SE' }]
    await deliver(shop, rows, { receivedAt: '2026-02-01T06:00:00Z' })
    await deliver(shop, [{ ...rows[0], amount: '2' }], { receivedAt: '2026-02-20T06:00:00Z' })
    expect((await readCards(shop)).reports[0]).toMatchObject({
      latest: { period_start: '2026-01-01', value: '2', restated: 'corrected' },
      restated_periods: [{ period_start: '2026-01-01', restated_at: '2026-02-20T06:00:00.000Z' }],
    })
    context.clock.set('2026-05-15T12:00:00Z')
    const later = { ...shop, reader: await shop.signInAgain() }
    expect((await readCards(later)).reports[0]).toMatchObject({
      latest: { restated: 'corrected' },
      restated_periods: [],
    })
  })

  test('a paused source shows when and by whom it was paused, without any change of its samples', async () => {
    const shop = await openShop()
    await deliver(shop, [{ at: '2026-02-01', amount: '1' }])
    const person = await seedMember(context, shop.companyId)
    const developer = await signInConsole(app, context, person)
    const source = `${shop.company}/sources/${shop.sourceId}`
    const before = await shop.reader.get(`${shop.company}/reports`)
    await developer.post(`${source}/pause`)
    const tag = { 'if-none-match': String(before.headers['etag']) }
    const { status, body } = await shop.reader.get(`${shop.company}/reports`, tag)
    expect(status).toBe(200)
    expect(body.reports[0]).toMatchObject({
      source_state: 'paused',
      paused_at: '2026-03-15T12:00:00.000Z',
      paused_by: { member_id: person.memberId, name: 'Test Testsson' },
      latest: { value: '1' },
    })
    await developer.post(`${source}/resume`)
    const active = { source_state: 'active', paused_at: null, paused_by: null }
    expect((await readCards(shop)).reports[0]).toMatchObject(active)
    await pauseSource(context, 'operator', shop.companyId, shop.sourceId)
    expect((await readCards(shop)).reports[0]).toMatchObject({ source_state: 'paused', paused_by: null })
  })

  test('a source is late by its own rhythm; test deliveries do not count', async () => {
    const shop = await openShop()
    for (const day of ['01', '02', '03', '04']) {
      await deliver(shop, [], { receivedAt: `2026-03-${day}T06:00:00Z` })
    }
    await deliver(shop, [], { receivedAt: '2026-03-07T06:00:00Z', sandbox: true })
    const freshness = async () => (await readCards(shop)).reports[0].freshness
    const usual = { last_received_at: '2026-03-04T06:00:00.000Z', usual_seconds: 86_400 }
    context.clock.set('2026-03-07T06:00:00Z')
    expect(await freshness()).toEqual({ ...usual, late: false })
    context.clock.set('2026-03-07T06:00:01Z')
    expect(await freshness()).toEqual({ ...usual, late: true })
  })

  test('reports come source by source, page by page', async () => {
    const shop = await openShop()
    const metrics = [
      testMetric(),
      testMetric({ metric: 'active_users', aggregation: 'count_distinct', field: 'customer' }),
    ]
    // Ids are in the order of time.
    context.clock.advance(1_000)
    const second = await seedSource(context, shop.companyId, { name: 'Second', metrics })
    const first = await readCards(shop, '?limit=1')
    expect(first.reports.map(({ source_name: name }: Record<string, unknown>) => name)).toEqual(['Shop'])
    const next = await readCards(shop, `?limit=1&cursor=${first.next_cursor}`)
    expect(next.reports.map(({ source_id: id, metric }: Record<string, unknown>) => [id, metric])).toEqual([
      [second.sourceId, 'revenue'],
      [second.sourceId, 'active_users'],
    ])
    expect(next.next_cursor).toBe(null)
    const { status, body } = await shop.reader.get(`${shop.company}/reports?limit=101`)
    expect([status, body.field]).toEqual([400, 'limit'])
  })
})
