import { expect, test } from 'vitest'
import { createShiftedClock } from '../../../platform/clock/clock.ts'
import { startWorkerDatabase } from '../../../../testing/in-process/test-worker.ts'
import { isFull } from '../../../../testing/cases/made-up-cases.ts'
import { createTestSource, testMetric } from '../../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../../testing/in-process/store-delivery.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { createWorkerPool } from './worker-pool.ts'
import { startWorkers } from './start-workers.ts'
import { wakeWorker } from '../../backlog/wake.ts'

const { database, newWorker } = await startWorkerDatabase()

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
  const ahead = createWorkerPool(database.url, () => {}, { statementTimeoutMs: timeoutMs })
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
