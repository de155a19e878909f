import { expect, test } from 'vitest'
import { release } from '../platform/config/release.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { createTestDatabase } from '../../testing/in-process/test-database.ts'
import { startRecordingProcess } from './record-process.ts'

test('A process is listed with its release while it runs, and no longer', async () => {
  await using database = await createTestDatabase()
  const context = createTestContext(database.pool)
  const list = async () => (await database.pool.query('select * from processes')).rows
  const recorded = await startRecordingProcess(context, 20)
  const [row] = await list()
  const { rows } = await database.pool.query('select max(number) as shard from migrations')
  expect(row).toMatchObject({
    release,
    shard_migration: rows[0].shard,
    seen_at: new Date(context.clock.now()),
  })
  context.clock.advance(60_000)
  await expect.poll(list).toEqual([{ ...row, seen_at: new Date(context.clock.now()) }])
  await recorded[Symbol.asyncDispose]()
  expect(await list()).toEqual([])
})

test('A process that wakes up behind a contract of a later release learns of it, and another one does not start', async () => {
  await using database = await createTestDatabase()
  const context = createTestContext(database.pool)
  await using recorded = await startRecordingProcess(context, 20)
  await database.pool.query(
    `insert into migrations (number, name, sha256, applied_at, contract)
     values (1000, 'newer', 'x', now(), '999.0.0')`,
  )
  expect(await recorded.passed).toContain('start release 999.0.0 or a later one in its place')
  await expect(startRecordingProcess(context)).rejects.toThrow('start release 999.0.0')
})
