import { expect, test } from 'vitest'
import { createShiftedClock } from '../../../platform/clock/clock.ts'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { createDyingPool, startWorkerDatabase } from '../../../../testing/in-process/test-worker.ts'
import { isFull } from '../../../../testing/cases/made-up-cases.ts'
import { createTestSource, testMetric, type TestSource } from '../../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../../testing/in-process/store-delivery.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { createWorkerPool } from './worker-pool.ts'
import { startWorkers } from './start-workers.ts'
import { wakeWorker } from '../../backlog/wake.ts'

const { database, pool, newWorker } = await startWorkerDatabase()

const samplesOf = async (source: TestSource): Promise<object[]> => {
  const { rows } = await database.pool.query(
    `select metric, period_start, trim_scale(value)::text as value, labels, sandbox, receive_number::int from samples
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

test('a worker that dies in the middle leaves nothing behind, and its deliveries are parsed by the next', async () => {
  const source = await createTestSource(database.pool)
  const dying = createDyingPool(database, 'parsing.finish-round')
  const worker = newWorker({ pool: dying.pool })
  // What a new worker takes first is marked; that is for another test.
  await worker.drain()
  await storeDelivery(database.pool, source, [{ at: '2026-02-01', amount: '1' }])
  await expect(worker.round()).rejects.toThrow()
  await dying.end()
  expect(await samplesOf(source)).toEqual([])
  await newWorker().drain()
  expect(await samplesOf(source)).toMatchObject([{ value: '1' }])
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
  await database.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
    create trigger refuse before insert on contributions for each row
      when (new.artifact_id = '${refused.artifactId}') execute function refuse()`,
  )
  const told: object[] = []
  const worker = newWorker({
    clock,
    log: { warn: () => {}, error: (details) => told.push(details) },
  })
  await worker.drain()
  expect(await samplesOf(source)).toMatchObject([{ value: '10101' }])
  expect(told).toMatchObject([
    { artifactId: damaged.artifactId, attempts: 1, delayMs: 1_000 },
    { artifactId: refused.artifactId, attempts: 1, err: { message: 'not now' } },
  ])
  clock.advance(999)
  await worker.drain()
  expect(told).toHaveLength(2)

  await database.pool.query('drop trigger refuse on contributions')
  await database.pool.query(
    'update deliveries set content_bytes = content_bytes - 1 where artifact_id = $1',
    [damaged.artifactId],
  )
  clock.advance(1)
  await worker.drain()
  expect(await samplesOf(source)).toMatchObject([{ value: '11111' }])
  const { rows } = await database.pool.query('select from backlog')
  expect(rows).toEqual([])
})

const manyRows = isFull ? 60_000 : 20_000

test.each([true, false])(
  'a delivery of very many rows and cells is parsed whole, compressed: %s',
  async (compressed) => {
    const source = await createTestSource(database.pool, { metrics: [testMetric({ group_by: ['country'] })] })
    const rows = Array.from({ length: manyRows }, (_, index) => ({
      at: '2026-02-01',
      amount: '1',
      country: `${index}`,
    }))
    await storeDelivery(database.pool, source, rows, { compressed })
    await storeDelivery(database.pool, source, rows.slice(0, 100))
    await newWorker().drain()
    const { rows: sums } = await database.pool.query(
      'select count(*)::int as cells, sum(value)::int as total from samples where source_id = $1',
      [source.sourceId],
    )
    expect(sums).toEqual([{ cells: manyRows, total: manyRows + 100 }])
  },
)

test('statements that are sent ahead may wait for those before them longer than one may run', async () => {
  const timeoutMs = 1_200
  const ahead = createWorkerPool(database.url, () => {}, timeoutMs)
  const client = await ahead.connect()
  try {
    const sleeps = Array.from({ length: 13 }, () => client.query('select pg_sleep(0.2)'))
    await expect(Promise.all(sleeps)).resolves.toHaveLength(13)
    // The server's limit is for each of them.
    await expect(client.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' })
  } finally {
    client.release(true)
    await ahead.end()
  }
})

test('a worker in a thread goes by the clock of its process, also after that is moved', async () => {
  const clock = createShiftedClock()
  const context = createTestContext(database.pool, { environment: { NUMERA_WORKER_POLL_MS: '60000' } })
  await using stack = new AsyncDisposableStack()
  stack.use(await startWorkers({ ...context, clock }))
  const source = await createTestSource(database.pool)
  for (const days of [400, -800]) {
    clock.advance(days * 86_400_000)
    await storeDelivery(database.pool, source, [{ at: '2026-02-01', amount: '1' }])
    wakeWorker()
    const hoursOff = async (): Promise<number | undefined> => {
      const { rows } = await database.pool.query<{ parsed_at: Date }>(
        'select parsed_at from parse_results where source_id = $1 order by receive_number desc limit 1',
        [source.sourceId],
      )
      return rows[0] && Math.round((rows[0].parsed_at.getTime() - clock.now()) / 3_600_000)
    }
    await expect.poll(hoursOff, { interval: 5 }).toBeCloseTo(0)
  }
})

test('a worker in a thread parses what it is woken for, and ends when stopped', async () => {
  const context = createTestContext(database.pool, { environment: { NUMERA_WORKER_POLL_MS: '60000' } })
  const started = await startWorkers(context)
  const source = await createTestSource(database.pool)
  for (let amount = 1; amount <= 3; amount++) {
    await storeDelivery(database.pool, source, [{ at: '2026-02-01', amount: '1' }])
    wakeWorker()
    await expect.poll(() => samplesOf(source), { interval: 5 }).toMatchObject([{ value: `${amount}` }])
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
