import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../../testing/in-process/test-database.ts'
import { quietLog } from '../../../../testing/in-process/test-worker.ts'
import { createTestSource } from '../../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../../testing/in-process/store-delivery.ts'
import { addShards } from '../../../platform/database/migrations/migrate.ts'
import { createPool } from '../../../platform/database/pool.ts'
import { toShardSchema } from '../../../platform/database/schemas.ts'
import { queueCycle } from '../../backlog/queues.ts'
import { createShardTurns, type ShardTurns } from './shard-turns.ts'

const shards = [1, 2, 3]
let database: TestDatabase
let turns: ShardTurns
const warnings: object[] = []
const pools: Pool[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  await addShards({ url: database.url, count: 2 })
  for (const shard of shards) pools.push(createPool({ url: database.url, schema: toShardSchema(shard) }))
  const log = { ...quietLog, warn: (details: object) => warnings.push(details) }
  turns = createShardTurns({ databaseUrl: database.url, clock: createTestClock(), log, queues: queueCycle })
})
afterAll(async () => {
  await turns[Symbol.asyncDispose]()
  await Promise.all(pools.map((pool) => pool.end()))
  await database[Symbol.asyncDispose]()
})

const deliverTo = async (pool: Pool): Promise<void> => {
  const source = await createTestSource(pool)
  await storeDelivery(pool, source, [{ at: '2026-02-01', amount: '1' }])
}

/** The deliveries that the next rounds parse, one shard a round. */
const parseRounds = async (count: number): Promise<number[]> => {
  const parsed: number[] = []
  for (let round = 0; round < count; round++) parsed.push((await turns.worker.round()).deliveries)
  return parsed
}

const readSampleCounts = (): Promise<number[]> =>
  Promise.all(
    pools.map(
      async (pool) => (await pool.query('select count(*)::integer as count from samples')).rows[0].count,
    ),
  )

test('a worker parses the deliveries of every shard, a shard a round', async () => {
  for (const pool of pools) await deliverTo(pool)
  const waiting = await turns.measure()
  expect(waiting.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(3)
  expect(await parseRounds(4)).toEqual([1, 1, 1, 0])
  expect(await readSampleCounts()).toEqual([1, 1, 1])
})

test('a shard that fails is left alone and reported, and the others are parsed', async () => {
  await database.alter('alter table shard_2.backlog rename to unavailable')
  try {
    await deliverTo(pools[0]!)
    await deliverTo(pools[2]!)
    const parsed = await parseRounds(4)
    expect(parsed.reduce((sum, deliveries) => sum + deliveries, 0)).toBe(2)
    expect(await readSampleCounts()).toEqual([2, 1, 2])
    expect(warnings).toMatchObject([{ shard: 2 }])
  } finally {
    await database.alter('alter table shard_2.unavailable rename to backlog')
  }
})

test('a shard without news is visited at the next poll, one with news in the next round', async () => {
  const news = [0, 0, 0, 0]
  await using idle = createShardTurns({
    databaseUrl: database.url,
    clock: createTestClock(),
    log: quietLog,
    queues: queueCycle,
    pollIntervalMs: 60_000,
    newsOf: (shard) => news[shard]!,
  })
  expect((await idle.worker.round()).deliveries).toBe(0)
  expect((await idle.worker.round()).deliveries).toBe(0)
  for (const pool of pools) await deliverTo(pool)
  expect((await idle.worker.round()).deliveries).toBe(0)
  news[2] = 1
  expect((await idle.worker.round()).deliveries).toBe(1)
  expect((await pools[1]!.query('select from backlog')).rowCount).toBe(0)
  expect((await pools[0]!.query('select from backlog')).rowCount).toBe(1)
})
