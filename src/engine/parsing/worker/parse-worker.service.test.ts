import { expect, test } from 'vitest'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { createDyingPool, startWorkerDatabase } from '../../../../testing/in-process/test-worker.ts'
import { createTestSource, testMetric, type TestSource } from '../../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../../testing/in-process/store-delivery.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { startWorkers } from './start-workers.ts'
import { wakeWorker } from '../../backlog/wake.ts'

const { database, pool, newWorker } = await startWorkerDatabase()

const readSamples = async (source: TestSource): Promise<object[]> => {
  const { rows } = await database.pool.query(
    `select metric, period_start, trim_scale(value)::text as value, labels, sandbox, receive_number::float8 from samples
    where source_id = $1 order by sandbox, period_start desc, metric, labels`,
    [source.sourceId],
  )
  return rows
}

test('rows of two deliveries of an events source add up', async () => {
  const source = await createTestSource(database.pool, { metrics: [testMetric({ group_by: ['country'] })] })
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
  await newWorker().drain()
  expect(await readSamples(source)).toMatchObject([
    { period_start: '2026-02-01', labels: '{"country":"NO"}', value: '1' },
    {
      period_start: '2026-02-01',
      labels: '{"country":"SE"}',
      value: '10',
      receive_number: second.receiveNumber,
    },
  ])
})

test('deliveries of two companies with the same receive number, as after a move, are both parsed', async () => {
  const sources = [await createTestSource(database.pool), await createTestSource(database.pool)]
  expect(sources[0]!.companyId).not.toBe(sources[1]!.companyId)
  const worker = newWorker()
  // What a new worker takes first is parsed one by one.
  await worker.drain()
  for (const source of sources)
    await storeDelivery(database.pool, source, [{ at: '2026-02-01', amount: '1' }])
  await database.pool.query('update deliveries set receive_number = 7 where company_id = any ($1)', [
    sources.map(({ companyId }) => companyId),
  ])
  await database.pool.query('update backlog set receive_number = 7')
  await worker.drain()
  for (const source of sources)
    expect(await readSamples(source)).toMatchObject([{ value: '1', receive_number: 7 }])
})

test('a worker that dies in the middle leaves nothing behind, and its deliveries are parsed by the next', async () => {
  const source = await createTestSource(database.pool)
  const dying = createDyingPool(database, 'parsing.finish-round')
  const worker = newWorker({ pool: dying.pool })
  // What a new worker takes first is marked; that is for another test.
  await worker.drain()
  await storeDelivery(database.pool, source, [{ at: '2026-02-01', amount: '1' }])
  await expect(worker.round()).rejects.toThrow()
  await dying.end()
  expect(await readSamples(source)).toEqual([])
  await newWorker().drain()
  expect(await readSamples(source)).toMatchObject([{ value: '1' }])
})

test('deliveries that cannot be parsed stay queued without delaying others, and are parsed once they can be', async () => {
  const clock = createTestClock()
  const source = await createTestSource(database.pool)
  const store = (amount: string) => storeDelivery(database.pool, source, [{ at: '2026-02-01', amount }])
  await store('1')
  const damaged = await store('10')
  await store('100')
  const refused = await store('1000')
  await store('10000')
  await database.pool.query(
    'update deliveries set content_bytes = content_bytes + 1 where artifact_id = $1',
    [damaged.artifactId],
  )
  await database.alter(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`,
    `create trigger refuse before insert on contributions for each row
      when (new.artifact_id = '${refused.artifactId}') execute function refuse()`,
  )
  const told: object[] = []
  const worker = newWorker({
    clock,
    log: { warn: () => {}, error: (details) => told.push(details) },
  })
  await worker.drain()
  expect(await readSamples(source)).toMatchObject([{ value: '10101' }])
  expect(told).toMatchObject([
    { artifactId: damaged.artifactId, attempts: 1, delayMs: 1_000 },
    { artifactId: refused.artifactId, attempts: 1, err: { message: 'not now' } },
  ])
  clock.advance(999)
  await worker.drain()
  expect(told).toHaveLength(2)

  await database.alter('drop trigger refuse on contributions')
  await database.pool.query(
    'update deliveries set content_bytes = content_bytes - 1 where artifact_id = $1',
    [damaged.artifactId],
  )
  clock.advance(1)
  await worker.drain()
  expect(await readSamples(source)).toMatchObject([{ value: '11111' }])
  const { rows } = await database.pool.query('select from backlog')
  expect(rows).toEqual([])
})

test('a worker in a thread parses what it is woken for, and ends when stopped', async () => {
  const context = createTestContext(database.pool, { environment: { NUMERA_WORKER_POLL_MS: '60000' } })
  const started = await startWorkers(context)
  const source = await createTestSource(database.pool)
  for (let amount = 1; amount <= 3; amount++) {
    await storeDelivery(database.pool, source, [{ at: '2026-02-01', amount: '1' }])
    wakeWorker()
    await expect.poll(() => readSamples(source), { interval: 5 }).toMatchObject([{ value: `${amount}` }])
  }
  await started[Symbol.asyncDispose]()
  await storeDelivery(database.pool, source, [{ at: '2026-02-01', amount: '1' }])
  wakeWorker()
  await pool.end()
  // The server takes a moment to notice that a connection was ended.
  const workerConnections = async (): Promise<object[]> =>
    (
      await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'numera worker'`,
      )
    ).rows
  await expect.poll(workerConnections, { interval: 5 }).toEqual([])
  expect(await context.telemetry.registry.getSingleMetricAsString('numera_rows_accepted_total')).toContain(
    ' 3',
  )
})
