import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSource } from './aggregated-source.ts'
import { ingest } from '../testing/process/call.ts'
import { readSamples, waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { openShop, revenue, type Shop, type SourceOptions } from '../testing/process/shop.ts'

let service: Service
let shop: Shop
beforeAll(async () => {
  service = await startService({
    environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  shop = await openShop(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const open = (options: SourceOptions) => openSource(shop, options)

const country = (index: number): string => `c${String(index).padStart(4, '0')}`

describe('A large delivery', () => {
  test('with a number of ten thousand digits loses that row only', async () => {
    const source = await open({})
    const digits = '7'.repeat(10_000)
    const body = `{"idempotency_key":"digits","shape_version":1,"payload":[{"at":"2026-01-15","amount":${digits}},{"at":"2026-01-15","amount":"${digits}"},{"at":"2026-01-15","amount":"1"}]}`
    const { body: receipt } = await ingest(shop.url, source.credential, body)
    expect(await waitUntilRead(shop.url, source.credential, receipt.artifact_id)).toMatchObject({
      rows_accepted: 1,
      rows_refused: 2,
    })
    expect(await source.lines()).toEqual(['2026-01-15 1'])
  })

  test('of a million tiny rows is counted in full', async () => {
    const source = await open({
      fields: [{ name: 't', type: 'timestamp', personal: false }],
      event_time: 't',
      metrics: [{ metric: 'active_users', aggregation: 'count', filters: [], group_by: [], period: 'day' }],
    })
    // 999,000 rows without a time, and a thousand with one: a body has room for eight bytes a row.
    const rows = `${'{},'.repeat(999_000)}${Array.from({ length: 1_000 }, () => '{"t":"2026-01-15"}').join(',')}`
    const { status, body } = await ingest(
      shop.url,
      source.credential,
      `{"idempotency_key":"million","shape_version":1,"payload":[${rows}]}`,
    )
    expect(status).toBe(202)
    const report = await waitUntilRead(shop.url, source.credential, body.artifact_id)
    expect(report).toMatchObject({
      state: 'parsed',
      rows_accepted: 1_000,
      rows_refused: 999_000,
      rows_date_alone: 1_000,
    })
    expect((report as unknown as { refusals: unknown[] }).refusals).toHaveLength(100)
    expect(await source.lines()).toEqual(['2026-01-15 1000'])
  })
})

describe('A read', () => {
  test('has at most the newest five thousand samples, and says that there are more', async () => {
    const source = await open({ metrics: [revenue({ group_by: ['country'] })] })
    const createRows = (day: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ at: day, amount: '1', country: country(index) }))
    await source.send(createRows('2026-01-15', 2_500))
    await source.send(createRows('2026-01-14', 2_500))
    const query = { from: '2026-01-01', to: '2026-02-01' }
    const exactly = await readSamples(shop.url, source.credential, query)
    expect([exactly.samples.length, exactly.truncated]).toEqual([5_000, false])
    await source.send(createRows('2026-01-13', 1))
    await source.send([{ at: '2026-01-16', amount: '1', country: 'new' }])
    const more = await readSamples(shop.url, source.credential, query)
    expect([more.samples.length, more.truncated]).toEqual([5_000, true])
    expect(more.samples[0]).toMatchObject({ period_start: '2026-01-16' })
    expect(more.samples.at(-1)).toMatchObject({
      period_start: '2026-01-14',
      labels: { country: country(2_498) },
    })
    const rest = await readSamples(shop.url, source.credential, { ...query, to: '2026-01-14' })
    expect([rest.samples.length, rest.truncated]).toEqual([1, false])
  })
})
