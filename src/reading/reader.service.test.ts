import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../clock.ts'
import { createTestDatabase, type TestDatabase } from '../database/testing.ts'
import { makeSource, testMetric, type TestSource } from '../testing/source.ts'
import { storeDelivery } from '../testing/store-delivery.ts'
import { createReader } from './reader.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => database[Symbol.asyncDispose]())

const log = { warn: () => {}, error: () => {} }
const newReader = () => createReader({ pool: database.pool, clock: createTestClock(), log })

const samplesOf = async (source: TestSource): Promise<object[]> => {
  const { rows } = await database.pool.query(
    `select metric, period_start, trim_scale(value)::text as value, labels, sandbox, receive_number::int from samples
    where source_id = $1 order by sandbox, period_start desc, metric, labels`,
    [source.sourceId],
  )
  return rows
}

test('rows of two deliveries of an events source add up', async () => {
  const source = await makeSource(database.pool, { metrics: [testMetric({ group_by: ['country'] })] })
  await storeDelivery(database.pool, source, [
    { at: '2026-02-01T10:00:00+01:00', amount: '10.50', country: 'SE' },
    { at: '2026-02-01T11:00:00+01:00', amount: '1', country: 'NO' },
  ])
  const second = await storeDelivery(
    database.pool,
    source,
    [{ at: '2026-02-01', amount: '-0.50', country: 'SE' }],
    { compressed: true },
  )
  await newReader().drain()
  expect(await samplesOf(source)).toMatchObject([
    { period_start: '2026-02-01', labels: '{"country":"NO"}', value: '1' },
    {
      period_start: '2026-02-01',
      labels: '{"country":"SE"}',
      value: '10',
      receive_number: second.receiveNumber,
    },
  ])
})
