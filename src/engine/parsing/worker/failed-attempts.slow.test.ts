import { expect, test } from 'vitest'
import { largeRows, startBacklogScene } from '../../../../testing/in-process/scenes/backlog-scene.ts'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { createDyingPool } from '../../../../testing/in-process/test-worker.ts'
import { createTestSource } from '../../../../testing/in-process/source.ts'
import { queues } from '../../backlog/queues.ts'
import { retryDelayMsMax } from './worker-state.ts'

const clock = createTestClock()
const { database, newWorker, store, storeMany, isParsed, readAttempts, waiting } =
  await startBacklogScene(clock)

/** A worker that dies between claiming and committing: its connection is gone, and all that it knew. */
const die = async (): Promise<void> => {
  const dying = createDyingPool(database, 'parsing.add-parse-results')
  await expect(newWorker({ pool: dying.pool }).round()).rejects.toThrow()
  await dying.end()
}

test('that a large delivery was being parsed is known after its worker dies, and the next one lets others go first', async () => {
  const source = await createTestSource(database.pool)
  const large = await store(source, largeRows(3_000), { format: 'csv' })
  await die()
  expect(await readAttempts(large)).toMatchObject({ attempts: 1, queue: queues.retry })

  // Workers that know nothing of it.
  const other = await store(source, largeRows(3_001), { format: 'csv' })
  await newWorker().drain()
  expect([await isParsed(large), await isParsed(other)]).toEqual([false, true])
  clock.advance(999)
  await newWorker().drain()
  expect(await isParsed(large)).toBe(false)
  clock.advance(1)
  await die()
  expect(await readAttempts(large)).toMatchObject({ attempts: 2 })
  clock.advance(1_999)
  await newWorker().drain()
  expect(await isParsed(large)).toBe(false)
  clock.advance(1)
  await newWorker().drain()
  expect(await isParsed(large)).toBe(true)
  expect(await waiting(source)).toBe(0)
})

test('a small delivery that kills every worker is found, stays queued, and is tried hourly in the end', async () => {
  const source = await createTestSource(database.pool)
  const deadly = await store(source)
  const innocent = await store(source)
  await die()
  // All of the first batch is suspect: from now on each goes alone.
  clock.advance(1_000)
  for (let deaths = 2; deaths <= 20; deaths++) {
    await die()
    expect(await readAttempts(deadly)).toMatchObject({ attempts: deaths })
    if (deaths === 2) {
      await newWorker().drain()
      expect(await isParsed(innocent)).toBe(true)
    }
    clock.advance(retryDelayMsMax - 1)
    if (deaths > 14) {
      await newWorker().drain()
      expect(await isParsed(deadly)).toBe(false)
    }
    clock.advance(1)
  }
  const { rows } = await database.pool.query(
    'select extract(epoch from not_before - $2::timestamptz)::int as seconds from backlog where artifact_id = $1',
    [deadly.artifactId, new Date(clock.now()).toISOString()],
  )
  expect(rows).toEqual([{ seconds: 0 }])
  await newWorker().drain()
  expect(await isParsed(deadly)).toBe(true)
})

test('a pause that was written by a clock far ahead counts as over', async () => {
  const source = await createTestSource(database.pool)
  const delivery = await store(source)
  await database.pool.query(
    'update backlog set queue = $3, attempts = 1, not_before = $2 where artifact_id = $1',
    [delivery.artifactId, new Date(clock.now() + 400 * 86_400_000).toISOString(), queues.retry],
  )
  await newWorker().drain()
  expect(await isParsed(delivery)).toBe(true)
})

test('retries of one company do not delay those of another', async () => {
  const bad = await createTestSource(database.pool)
  const other = await createTestSource(database.pool)
  await storeMany(bad, 50)
  const delivery = await store(other)
  await database.pool.query('update backlog set queue = $2, attempts = 1, not_before = $1', [
    new Date(clock.now()).toISOString(),
    queues.retry,
  ])
  const worker = newWorker({ queues: ['retry'] })
  for (let rounds = 0; rounds < 2; rounds++) expect(await worker.round()).toMatchObject({ deliveries: 1 })
  expect(await isParsed(delivery)).toBe(true)
})
