import { beforeEach, expect, test } from 'vitest'
import { createProjectionMaintainer } from '../projections/maintain-projections.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { saveSource } from '../../../testing/process/save-source.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })

let credential: string
let companyId: string
let owner: ConsoleClient
let company: string
let sourceId: string

beforeEach(async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  const scene = await seedScene(context, { source: {}, connection: {} })
  credential = scene.connection.credential!
  companyId = scene.company.companyId
  company = `/console/companies/${companyId}`
  sourceId = scene.source.sourceId
  owner = await signInConsole(app, context, scene.owner)
})

const declaration = { fields: testFields, event_time: 'at', metrics: [testMetric()], delivers: 'events' }
const authorization = () => ({ authorization: `Bearer ${credential}` })
const push = async (payload: object): Promise<string> => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: authorization(),
    payload: { idempotency_key: crypto.randomUUID(), shape_version: 1, payload },
  })
  expect(answer.statusCode).toBe(202)
  return answer.json().artifact_id
}
const report = async (artifactId: string) =>
  (await app.inject({ url: `/v1/deliveries/${artifactId}`, headers: authorization() })).json()
const logged = async (artifactId: string) => (await owner.get(`${company}/deliveries/${artifactId}`)).body

test('a misspelled key is reported: the metric that got nothing for it, how many rows, and what was probably meant', async () => {
  const artifactId = await push([
    { at: '2026-03-01', amout: '1' },
    { at: '2026-03-01', amount: '2' },
  ])
  const unknown = { missing_values: null, rows_far_ahead: null, far_ahead: [] }
  expect(await report(artifactId)).toMatchObject({ state: 'queued', ...unknown })
  await worker.drain()
  const missing_values = [{ metric: 'revenue', field: 'amount', rows: 1, similar_dropped_key: 'amout' }]
  const found = { rows_accepted: 2, rows_refused: 0, missing_values, rows_far_ahead: 0, far_ahead: [] }
  expect(await report(artifactId)).toMatchObject(found)
  expect(await logged(artifactId)).toMatchObject(found)
  const listed = [{ missing_values: [{ metric: 'revenue', field: 'amount', rows: 1 }], rows_far_ahead: 0 }]
  expect((await owner.get(`${company}/deliveries`)).body.deliveries).toMatchObject(listed)
  expect((await owner.get(`${company}/last-deliveries`)).body.deliveries).toMatchObject(listed)
})

test('a row dated more than 366 days ahead counts, and is reported with its day', async () => {
  const artifactId = await push([
    { at: '2027-03-16', amount: '1' },
    { at: '2062-03-15', amount: '2' },
  ])
  await worker.drain()
  const found = {
    rows_accepted: 2,
    missing_values: [],
    rows_far_ahead: 1,
    far_ahead: [{ row: 2, day: '2062-03-15' }],
  }
  expect(await report(artifactId)).toMatchObject(found)
  expect(await logged(artifactId)).toMatchObject(found)
  const read = await app.inject({ url: '/v1/samples?to=2062-03-16', headers: authorization() })
  expect(read.json().samples).toMatchObject([{ period_start: '2062-03-15', value: '2' }])
})

test('what is reported is as of the day of receipt and by the current metrics, after a rebuild too', async () => {
  const { artifactId } = await storeDelivery(
    database.pool,
    { companyId, sourceId },
    [{ at: '2025-06-01', amount: '1' }],
    { receivedAt: '2024-01-01T12:00:00Z' },
  )
  await worker.drain()
  expect(await logged(artifactId)).toMatchObject({ missing_values: [], rows_far_ahead: 1 })
  const changed = {
    ...declaration,
    metrics: [testMetric({ aggregation: 'count', field: 'country' })],
  }
  const saved = await saveSource(owner, `${company}/sources/${sourceId}`, changed)
  expect(saved.status).toBe(200)
  const rebuilds = createProjectionMaintainer({ ...context, pool: database.pool, graceMs: 0 })
  for (let step = 0; step < 3; step++) {
    await rebuilds.step()
    await worker.drain()
  }
  expect(await logged(artifactId)).toMatchObject({
    missing_values: [{ metric: 'revenue', field: 'country', rows: 1 }],
    rows_far_ahead: 1,
  })
})

test('a delivery parsed before this was counted does not report that there was nothing', async () => {
  const artifactId = await push([{ at: '2026-03-01', amount: '1' }])
  await worker.drain()
  expect(await report(artifactId)).toMatchObject({ missing_values: [], rows_far_ahead: 0 })
  await database.pool.query('update parse_results set remarks = null where artifact_id = $1', [artifactId])
  expect(await report(artifactId)).toMatchObject({ missing_values: null, rows_far_ahead: null })
})

test('a preview has the same remarks on an example before anything is saved', async () => {
  const { status, body } = await owner.post(`${company}/sources/preview`, {
    declaration,
    example: { text: 'at;amout\n2026-03-01;1\n2062-03-01;2\n' },
  })
  expect([status, body]).toMatchObject([
    200,
    {
      deliveries: [
        {
          rows_accepted: 2,
          missing_values: [{ metric: 'revenue', field: 'amount', rows: 2, similar_dropped_key: 'amout' }],
          rows_far_ahead: 1,
          far_ahead: [{ row: 2, line: 3, day: '2062-03-01' }],
        },
      ],
    },
  ])
})
