import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/in-process/test-clock.ts'
import { quietLog, startWorkerDatabase } from '../../../testing/in-process/test-worker.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import {
  addShape,
  createTestSource,
  testMetric,
  type TestSource,
} from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { beginProjection } from './begin-projection.ts'
import { compareProjections, sourcesToCompare } from './compare-projections.ts'
import { createProjectionMaintainer } from './maintain-projections.ts'
import { createWorkerPool } from '../parsing/worker/worker-pool.ts'
import { runWorker } from '../parsing/worker/run-worker.ts'
import { firstShard } from '../../platform/database/schemas.ts'

const clock = createTestClock()
const { database, pool, newWorker } = await startWorkerDatabase(clock)
const log = quietLog
const maintainer = (graceMs = 0) =>
  createProjectionMaintainer({ pool, shard: firstShard, clock, log, graceMs })

const begin = (
  source: TestSource,
  shapeVersion: number,
  state: 'building' | 'trial' = 'building',
): Promise<number> =>
  inTransaction(pool, (client) =>
    beginProjection(
      { shard: firstShard },
      client,
      source.companyId,
      source.sourceId,
      shapeVersion,
      state,
      clock.now(),
    ),
  )

/** As if what is retired of a source had last been read so long ago. */
const wasRead = (source: TestSource, agoMs: number): Promise<unknown> =>
  pool.query(
    `update projections set retired_at = statement_timestamp() - $2 * interval '1 ms' where source_id = $1 and state = 'retired'`,
    [source.sourceId, agoMs],
  )

/** The samples that a read of the source gets. */
const read = async (source: TestSource): Promise<{ labels: string; value: string }[]> => {
  const { rows } = await pool.query(
    `select labels, trim_scale(value)::text as value from sources join samples using (company_id, source_id, projection_id)
    where source_id = $1 and value is not null order by labels`,
    [source.sourceId],
  )
  return rows
}

const projections = async (source: TestSource): Promise<string[]> => {
  const { rows } = await pool.query(
    'select projection_id, state from projections where source_id = $1 order by projection_id',
    [source.sourceId],
  )
  return rows.map((row) => row.state as string)
}

const row = (index: number) => ({ at: '2026-03-01', amount: '1', country: index % 2 === 0 ? 'SE' : 'NO' })

const counting = (group_by: string[]) => testMetric({ aggregation: 'count', group_by })

test('a delivery too large for two projections in memory is parsed into one after the other', async () => {
  const source = await createTestSource(pool, { metrics: [counting([])] })
  await addShape(pool, source, 2, { metrics: [counting(['country'])] })
  const projectionId = await begin(source, 2)
  await maintainer().step()
  await storeDelivery(pool, source, [row(0), row(1), row(2)])
  const careful = newWorker({ bytesMax: 100 })
  expect((await careful.round()).deliveries).toBe(1)
  expect(await read(source)).toEqual([{ labels: '{}', value: '3' }])
  // It waits for the new projection, which cannot replace it before.
  await maintainer().step()
  expect(await projections(source)).toEqual(['current', 'building'])
  await careful.drain()
  await maintainer().step()
  expect(await projections(source)).toEqual(['retired', 'current'])
  expect(await read(source)).toEqual([
    { labels: '{"country":"NO"}', value: '1' },
    { labels: '{"country":"SE"}', value: '2' },
  ])
  const { rows } = await pool.query(
    'select projection_id from parse_results where source_id = $1 order by projection_id',
    [source.sourceId],
  )
  expect(rows).toEqual([{ projection_id: 1 }, { projection_id: projectionId }])
})

test('old samples are read until the new ones are complete, then they change in one step, while deliveries arrive', async () => {
  const source = await createTestSource(pool, { metrics: [counting([])] })
  for (let index = 0; index < 60; index++) await storeDelivery(pool, source, [row(index)])
  await newWorker().drain()
  await addShape(pool, source, 2, { metrics: [counting(['country'])] })

  // One connection each: two workers, their maintenance, and the test's own.
  const own = createWorkerPool(database.url, () => {})
  const running = [1, 2].map(() =>
    runWorker({
      worker: newWorker({ pool: own, deliveriesMax: 7 }),
      projections: createProjectionMaintainer({ pool: own, shard: firstShard, clock, log }),
      log,
      pollIntervalMs: 2,
    }),
  )
  let stored = 60
  const enough = new AbortController()
  const store = async (): Promise<void> => {
    while (!enough.signal.aborted) {
      await storeDelivery(pool, source, [row(stored)])
      stored++
    }
  }
  const pushing = store()
  await begin(source, 2)

  let seen = 60
  const shapes: string[] = []
  while (shapes.at(-1) !== 'new' || shapes.length < 20) {
    const samples = await read(source)
    const isNew = samples.every(({ labels }) => labels !== '{}')
    expect(isNew ? samples.length : samples.map(({ labels }) => labels)).toEqual(isNew ? 2 : ['{}'])
    const count = samples.reduce((sum, { value }) => sum + Number(value), 0)
    expect(count).toBeGreaterThanOrEqual(seen)
    seen = count
    shapes.push(isNew ? 'new' : 'old')
  }
  enough.abort()
  await pushing
  await Promise.all(running.map((each) => each.stop()))
  await own.end()
  await newWorker().drain()

  expect(shapes.join(' ')).toMatch(/^(old )*(new ?)+$/)
  const samples = await read(source)
  expect(samples.reduce((sum, { value }) => sum + Number(value), 0)).toBe(stored)
})

test('a newer projection replaces one that is not complete, of which nothing is left after the next step', async () => {
  const source = await createTestSource(pool, { metrics: [counting([])] })
  await storeDelivery(pool, source, [{ at: '2026-03-01', amount: '1', country: 'SE' }])
  await newWorker().drain()
  await addShape(pool, source, 2, { metrics: [counting(['customer'])] })
  await addShape(pool, source, 3, { metrics: [counting(['country'])] })
  const maintenance = maintainer(60_000)
  await begin(source, 2)
  await maintenance.step()
  await begin(source, 3)
  while (await maintenance.step());
  expect(await projections(source)).toEqual(['current', 'building'])
  for (let rounds = 0; rounds < 3; rounds++) {
    await maintenance.step()
    await newWorker().drain()
  }
  expect(await projections(source)).toEqual(['retired', 'current'])
  expect(await read(source)).toEqual([{ labels: '{"country":"SE"}', value: '1' }])
})

test('a retired projection is removed once no read can still use it, and nothing else is', async () => {
  const source = await createTestSource(pool, { metrics: [counting(['country'])], delivers: 'statements' })
  const other = await createTestSource(pool, { metrics: [counting(['country'])] })
  for (const each of [source, other]) {
    await storeDelivery(pool, each, [
      { at: '2026-03-01', amount: '1', country: 'SE' },
      { at: '2026-03-02', amount: '1', country: 'NO' },
    ])
  }
  await newWorker().drain()
  await addShape(pool, source, 2, {
    metrics: [testMetric({ aggregation: 'count_distinct', field: 'customer' }), counting([])],
  })
  const maintenance = maintainer(60_000)
  await begin(source, 2)
  for (let rounds = 0; rounds < 3; rounds++) {
    await maintenance.step()
    await newWorker().drain()
  }
  expect(await projections(source)).toEqual(['retired', 'current'])
  while (await maintenance.step());
  expect(await projections(source)).toEqual(['retired', 'current'])
  await wasRead(source, 60_000)
  while (await maintenance.step());
  expect(await projections(source)).toEqual(['current'])
  const left = await pool.query(
    `select
      (select count(*) from samples where source_id = $1 and projection_id = 1) as samples,
      (select count(*) from parse_results where source_id = $1 and projection_id = 1) as parse_results,
      (select count(*) from period_owners where source_id = $1 and projection_id = 1) as owners,
      (select count(*) from period_deliveries where source_id = $1 and projection_id = 1) as touched,
      (select count(*) from contributions c where not exists (select from samples s where s.cell_id = c.cell_id))
        as contributions`,
    [source.sourceId],
  )
  expect(left.rows).toEqual([
    { samples: '0', parse_results: '0', owners: '0', touched: '0', contributions: '0' },
  ])
  expect(await read(other)).toHaveLength(2)
})

test('a projection whose maintenance fails is logged, and those of other companies progress', async () => {
  const sources = [await createTestSource(pool), await createTestSource(pool)].toSorted((a, b) =>
    a.companyId < b.companyId ? -1 : 1,
  )
  const [failing, other] = sources as [TestSource, TestSource]
  const projectionIds: number[] = []
  for (const source of sources) projectionIds.push(await begin(source, 1))
  await database.alter(
    `create function refuse_projection() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`,
    `create trigger refuse_projection before update on projections for each row
      when (old.company_id = '${failing.companyId}') execute function refuse_projection()`,
  )
  const told: object[] = []
  const maintenance = createProjectionMaintainer({
    pool,
    shard: firstShard,
    clock,
    log: { info: () => {}, error: (details) => told.push(details) },
  })
  for (let steps = 0; steps < 3; steps++) await maintenance.step()
  expect(await projections(other)).toEqual(['retired', 'current'])
  expect(await projections(failing)).toEqual(['current', 'building'])
  expect(told[0]).toMatchObject({
    sourceId: failing.sourceId,
    projectionId: projectionIds[0],
    err: { message: 'not now' },
  })

  await database.alter('drop trigger refuse_projection on projections', 'drop function refuse_projection')
  for (let steps = 0; steps < 3; steps++) await maintenance.step()
  expect(await projections(failing)).toEqual(['retired', 'current'])
})

test('a locked source delays only its own rebuild', async () => {
  const source = await createTestSource(pool)
  await begin(source, 1)
  const told: object[] = []
  const maintenance = createProjectionMaintainer({
    pool,
    shard: firstShard,
    clock,
    log: { info: () => {}, error: (details) => told.push(details) },
  })
  await inTransaction(pool, async (client) => {
    await client.query('select from sources where source_id = $1 for update', [source.sourceId])
    await maintenance.step()
    await maintenance.step()
  })
  expect(told).toMatchObject([{ sourceId: source.sourceId, err: { code: '55P03' } }])
  await maintenance.step()
  expect(await projections(source)).toEqual(['retired', 'current'])
})

test('a retired projection’s grace does not restart when another process does the maintenance', async () => {
  const source = await createTestSource(pool)
  await begin(source, 1)
  const maintenance = maintainer(60_000)
  for (let steps = 0; steps < 3; steps++) await maintenance.step()
  expect(await projections(source)).toEqual(['retired', 'current'])
  await wasRead(source, 60_000)
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock(7862693115 + 1)')
    await maintenance.step()
  })
  expect(await projections(source)).toEqual(['retired', 'current'])
  while (await maintenance.step());
  expect(await projections(source)).toEqual(['current'])
})

test('rebuilding finds no difference, and every kind of one that there is', async () => {
  for (const delivers of ['events', 'statements'] as const) {
    const source = await createTestSource(pool, {
      delivers,
      metrics: [counting(['country']), testMetric({ metric: 'active_users', aggregation: 'last' })],
    })
    for (const country of ['SE', 'NO', 'FI']) {
      await storeDelivery(pool, source, [
        { at: '2026-03-01T10:00:00.5Z', amount: '1', country },
        { at: '2026-03-02', amount: '1', country: 'SE' },
      ])
    }
    await newWorker().drain()
    const [found] = await sourcesToCompare({ pool, shard: firstShard }, source.companyId, source.sourceId)
    const worker = newWorker()
    const maintenance = maintainer(60_000)
    const work = async (): Promise<void> => {
      await maintenance.step()
      await worker.round()
    }
    const compare = () => compareProjections({ pool, shard: firstShard, clock, work }, found!)
    expect(await compare()).toEqual({ differences: [], inOneProjectionOnly: 0 })

    const change = async (sql: string): Promise<void> => {
      const { rowCount } = await pool.query(`${sql} and source_id = $1 and projection_id = 1`, [
        source.sourceId,
      ])
      expect(rowCount).toBe(1)
      expect((await compare()).differences).toHaveLength(1)
    }
    await change(
      `update samples set value = value + 1 where metric = 'active_users' and period_start = '2026-03-02'`,
    )
    await pool.query(
      'update samples set value = value - 1 where source_id = $1 and projection_id = 1 and metric = $2 and period_start = $3',
      [source.sourceId, 'active_users', '2026-03-02'],
    )
    expect((await compare()).differences).toEqual([])
    await change(
      `delete from samples where metric = 'revenue' and period_start = '2026-03-02' and labels like '%SE%'`,
    )
    const states = new Set((await projections(source)).slice(1))
    expect(states).toEqual(new Set(['retired']))
  }
})

test('a check that died leaves a trial rebuild, which is removed after a day by the database’s clock too', async () => {
  const source = await createTestSource(pool)
  await begin(source, 1, 'trial')
  clock.advance(86_400_001)
  await maintainer(60_000).step()
  expect(await projections(source)).toEqual(['current'])

  const clockAhead = createTestClock(Date.now())
  const ahead = createProjectionMaintainer({ pool, shard: firstShard, clock: clockAhead, log })
  const other = await createTestSource(pool)
  await inTransaction(pool, (client) =>
    beginProjection(
      { shard: firstShard },
      client,
      other.companyId,
      other.sourceId,
      1,
      'trial',
      clockAhead.now(),
    ),
  )
  clockAhead.advance(401 * 86_400_000)
  await ahead.step()
  expect(await projections(other)).toEqual(['current', 'trial'])
})

test('a thousand requests for the same rebuild are one, until it begins', async () => {
  const source = await createTestSource(pool, { metrics: [counting([])] })
  await storeDelivery(pool, source, [row(0)])
  await newWorker().drain()
  await addShape(pool, source, 2, { metrics: [counting(['country'])] })
  const waiting = await begin(source, 1)
  for (let requests = 0; requests < 1_000; requests++) expect(await begin(source, 1)).toBe(waiting)
  expect(await projections(source)).toEqual(['current', 'building'])
  // By another declaration it is another one, and so it is once some of the deliveries may have been counted.
  const other = await begin(source, 2)
  expect(other).not.toBe(waiting)
  await maintainer(60_000).step()
  expect(await begin(source, 2)).not.toBe(other)
  await maintainer(60_000).step()
  expect(await projections(source)).toEqual(['current', 'building'])
})
