import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consumeAll } from '../../../testing/cases/consume-all.ts'
import { createTestClock } from '../../../testing/in-process/test-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { consume, consumeForSubjects } from './consume.ts'
import { deleteFullBuckets } from './delete-full-buckets.ts'
import { createRateLimiter } from './rate-limiter.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const startMs = Date.parse('2026-01-15T12:00:00Z')
let subjects = 0

test('the database does the same arithmetic as the pure bucket', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(
        fc.record({
          // The clock may be set meanwhile, also back.
          afterMs: fc.oneof(
            fc.integer({ min: -5_000, max: 5_000 }),
            fc.integer({ min: -3_600_000, max: 3_600_000 }),
          ),
          requested: fc.integer({ min: 1, max: 60 }),
        }),
        { maxLength: 6 },
      ),
      async (perMinute, burst, calls) => {
        const subject = `test ${subjects++}`
        let nowMs = startMs
        let fullAtUs = 0
        for (const { afterMs, requested } of calls) {
          nowMs += afterMs
          const pure = consumeAll(fullAtUs, nowMs * 1_000, requested, { perMinute, burst })
          const called = new Map([[subject, { calls: requested, rate: { perMinute, burst } }]])
          const stored = await consumeForSubjects(database.pool, called, nowMs)
          expect(stored.get(subject)).toEqual(pure)
          fullAtUs = pure.fullAtUs
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('an hour back does not refuse anyone for an hour', async () => {
  const rate = { perMinute: 60, burst: 20 }
  for (let count = 0; count < 20; count++) await consume(database.pool, 'back', rate, startMs)
  const backMs = startMs - 3_600_000
  expect(await consume(database.pool, 'back', rate, backMs)).toEqual({
    granted: false,
    remaining: 0,
    resetSeconds: 20,
    retryAfterSeconds: 1,
  })
  for (let second = 1; second <= 20; second++) {
    expect((await consume(database.pool, 'back', rate, backMs + second * 1_000)).granted).toBe(true)
  }
})

test('concurrent calls of several processes share one bucket', async () => {
  const rate = { perMinute: 60, burst: 20 }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => consume(database.pool, 'shared', rate, startMs)),
  )
  expect(answers.filter((answer) => answer.granted)).toHaveLength(20)
})

test('calls that consume their tokens together get the results that each would get alone', async () => {
  const clock = createTestClock(startMs)
  const consume = createRateLimiter({ pool: database.pool, clock })
  const take = (subject: string) => consume(subject, { perMinute: 60, burst: 3 })
  const subjects = ['together a', 'together b', 'together a', 'together a', 'together a']
  const remaining = (await Promise.all(subjects.map(take))).map((result) =>
    result.granted ? result.remaining : `wait ${result.retryAfterSeconds}`,
  )
  expect(remaining).toEqual([2, 2, 1, 0, 'wait 1'])
  clock.advance(1_000)
  expect(await take('together a')).toEqual({
    granted: true,
    remaining: 0,
    resetSeconds: 3,
    retryAfterSeconds: 1,
  })
})

test('a bucket that is full again is deleted, and is full afterwards', async () => {
  const rate = { perMinute: 60, burst: 20 }
  await consume(database.pool, 'forgotten', rate, startMs)
  await deleteFullBuckets(database, startMs + 999)
  const kept = await database.pool.query(`select from rate_buckets where subject = 'forgotten'`)
  expect(kept.rowCount).toBe(1)
  await deleteFullBuckets(database, startMs + 1_001)
  const gone = await database.pool.query(`select from rate_buckets where subject = 'forgotten'`)
  expect(gone.rowCount).toBe(0)
  expect(await consume(database.pool, 'forgotten', rate, startMs + 1_001)).toMatchObject({ remaining: 19 })
})

test('deleting full buckets waits for no call, so that the two cannot deadlock', async () => {
  const rate = { perMinute: 60, burst: 20 }
  for (const subject of ['idle a', 'idle b']) await consume(database.pool, subject, rate, startMs)
  const laterMs = startMs + 10_000
  const call = await database.pool.connect()
  try {
    await call.query('begin')
    await consume(call, 'idle b', rate, laterMs)
    await deleteFullBuckets(database, laterMs)
    await consume(call, 'idle a', rate, laterMs)
    await call.query('commit')
  } finally {
    call.release()
  }
  const { rows } = await database.pool.query(`select subject from rate_buckets where subject like 'idle %'`)
  expect(rows).toHaveLength(2)
})
