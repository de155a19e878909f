import { beforeEach, describe, expect, test } from 'vitest'
import type { Source } from '../../company/sources/source.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const service = await startTestService()
const { database, context, app } = service

let companyId: string
let source: Source
let client: ConsoleClient
let sources: string
beforeEach(async () => {
  const scene = await seedScene(context, { members: ['developer'], source: {} })
  companyId = scene.company.companyId
  source = scene.source
  client = await signInConsole(app, context, scene.developer)
  sources = `/console/companies/${companyId}/sources`
})

const declaration = {
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric({ group_by: ['country'] })],
  delivers: 'events',
}
const preview = (changes: object = {}) =>
  client.post(`${sources}/${source.sourceId}/preview`, { declaration: { ...declaration, ...changes } })
const previewExample = (example: object, changes: object = {}) =>
  client.post(`${sources}/preview`, { declaration: { ...declaration, ...changes }, example })
const store = (rows: object[] | Buffer, options: Parameters<typeof storeDelivery>[3] = {}) =>
  storeDelivery(database.pool, { companyId, sourceId: source.sourceId }, rows, options)

describe('An example', () => {
  test('of 8 MiB is read, and one byte more is refused', async () => {
    const row = '2026-11-21,1249.00,"Kista"\n'
    const head = 'at,amount,country\n'
    const rows = Math.floor((8_388_608 - head.length) / row.length)
    const text = head + row.repeat(rows)
    const { status, body } = await client.post(`${sources}/example`, { text })
    expect(status).toBe(200)
    expect(body).toMatchObject({ rows, warnings: [] })
    const larger = text + 'x'.repeat(8_388_609 - text.length)
    expect(await client.post(`${sources}/example`, { text: larger })).toMatchObject({
      status: 413,
      body: { code: 'too_large', field: 'text' },
    })
    expect(await client.post(`${sources}/example`, { text: 'x'.repeat(17 * 1024 * 1024) })).toMatchObject({
      status: 413,
      body: { code: 'too_large' },
    })
  })
})

describe('A preview', () => {
  test('reads at most 20 deliveries and 8 MiB of them, the latest first', async () => {
    for (let index = 0; index < 22; index++) {
      await store([{ at: '2026-03-01', amount: '1', country: 'SE' }])
    }
    expect((await preview()).body).toMatchObject({
      complete: true,
      rows_read: 20,
      samples: [{ value: '20' }],
    })
    const row = '2026-03-02,1,SE\n'
    const large = Buffer.from(`at,amount,country\n${row.repeat(524_280)}`)
    const last = await store(large, { format: 'csv', compressed: true })
    const { body } = await preview()
    expect(body).toMatchObject({ complete: false, rows_read: 524_280 + body.deliveries.length - 1 })
    expect(body.deliveries[0].artifact_id).toBe(last.artifactId)
    expect(body.deliveries.length).toBeLessThan(20)
    expect(body.samples[0]).toMatchObject({ period_start: '2026-03-02', value: '524280', rows: 524_280 })
  })

  test('with 200 fields, 2,000 rows and a hostile name among them comes back', async () => {
    const names = ['at', '\u202eamount', ...Array.from({ length: 198 }, (_, k) => `field ${k}`)]
    const fields = names.map((name, index) => ({
      name,
      type: index === 0 ? 'timestamp' : index === 1 ? 'number' : 'text',
      personal: false,
    }))
    const text = `${names.join()}\n${`2026-03-01,1${',x'.repeat(198)}\n`.repeat(2_000)}`
    const { status, body } = await previewExample(
      { text },
      { fields, metrics: [testMetric({ field: '\u202eamount', group_by: names.slice(2, 22) })] },
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ rows_accepted: 2_000, samples: [{ value: '2000' }] })
  })
})

test('One preview of a company runs at a time, four wait, and further ones get 503 with Retry-After', async () => {
  const row = '2026-11-21,1249.00,"Kista"\n'
  const text = `at,amount,country\n${row.repeat(10_000)}`
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post(`${sources}/example`, { text })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1)
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(3)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(answers.find(({ status }) => status === 503)!.headers['retry-after']).toBeDefined()
})
