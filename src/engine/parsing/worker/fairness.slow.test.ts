import { expect, test } from 'vitest'
import { largeRows, startBacklogScene } from '../../../../testing/in-process/scenes/backlog-scene.ts'
import { createTestClock } from '../../../../testing/in-process/test-clock.ts'
import { quietLog } from '../../../../testing/in-process/test-worker.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { isFull } from '../../../../testing/cases/made-up-cases.ts'
import { createTestSource, testMetric, type TestSource } from '../../../../testing/in-process/source.ts'
import type { StoredDelivery } from '../../../../testing/in-process/store-delivery.ts'
import { createTestContext } from '../../../../testing/in-process/test-context.ts'
import { beginProjection } from '../../projections/begin-projection.ts'
import { queues } from '../../backlog/queues.ts'
import { createProjectionMaintainer, rebuildsOfCompanyMax } from '../../projections/maintain-projections.ts'
import { roundCompaniesMax } from './claim-rows.ts'
import { startWorkers } from './start-workers.ts'
import { wakeWorker } from '../../backlog/wake.ts'
import { firstShard } from '../../../platform/database/schemas.ts'

const clock = createTestClock()
const { database, pool, newWorker, store, storeMany, isParsed, readAttempts, waiting } =
  await startBacklogScene(clock)

test('rebuilds have queues of their own, by the size of their deliveries', async () => {
  const source = await createTestSource(database.pool)
  const small = await store(source)
  const large = await store(source, largeRows(3_000), { format: 'csv' })
  await newWorker().drain()
  await inTransaction(pool, (client) =>
    beginProjection(
      { shard: firstShard },
      client,
      source.companyId,
      source.sourceId,
      1,
      'building',
      clock.now(),
    ),
  )
  await createProjectionMaintainer({ pool, shard: firstShard, clock, log: quietLog }).step()
  expect(await readAttempts(small)).toMatchObject({ queue: queues.smallRebuild })
  expect(await readAttempts(large)).toMatchObject({ queue: queues.largeRebuild })
})

test('a company that sends without end has its share of each round, and another is parsed in the next one', async () => {
  const busy = await createTestSource(database.pool)
  const quiet = await Promise.all([1, 2, 3].map(() => createTestSource(database.pool)))
  await storeMany(busy, 3_000)
  const worker = newWorker()
  expect(await worker.round()).toMatchObject({ deliveries: 500, isFull: true })
  const late: StoredDelivery[] = []
  for (const source of quiet) late.push(await store(source))
  // A round of another queue may come first; it takes nothing.
  await worker.round()
  expect(await Promise.all(late.map(isParsed))).toEqual([true, true, true])
  // The busy one made progress too.
  expect(await waiting(busy)).toBeLessThan(2_500)
  await worker.drain()
  expect(await waiting(busy)).toBe(0)
})

test('more companies than fit a round have their turns one after another, with any backlog each', async () => {
  const sources = await Promise.all(Array.from({ length: 70 }, () => createTestSource(database.pool)))
  for (const source of sources) await storeMany(source, 30)
  const worker = newWorker({ queues: ['small'], deliveriesMax: 64 })
  await worker.round()
  await worker.round()
  const left = await Promise.all(sources.map(waiting))
  expect(left.filter((count) => count === 30)).toEqual([])
  await worker.drain()
  expect(await Promise.all(sources.map(waiting))).toEqual(sources.map(() => 0))
})

test('large deliveries progress in a company that sends small ones without end, and small ones among large', async () => {
  const source = await createTestSource(database.pool)
  await storeMany(source, 2_000)
  const large = await store(source, largeRows(3_000), { format: 'csv' })
  const worker = newWorker()
  for (let rounds = 0; rounds < 2; rounds++) await worker.round()
  expect(await isParsed(large)).toBe(true)
  expect(await waiting(source)).toBe(1_500)
  await worker.drain()
})

/** What a delivery contributes is not written until it is released, which is harmless twice; for 30 seconds at most. */
const holdWriting = async ({ artifactId }: StoredDelivery): Promise<() => Promise<void>> => {
  await database.pool.query(`
    create table released ();
    create function wait_for_release() returns trigger language plpgsql as $$
    begin
      for tries in 1..1500 loop
        exit when exists (select from released);
        perform pg_sleep(0.02);
      end loop;
      return new;
    end $$;
    create trigger wait_for_release before insert on contributions for each row
      when (new.artifact_id = '${artifactId}') execute function wait_for_release()`)
  return async () => {
    await database.pool.query('insert into released default values')
  }
}

/** Parsing them takes a while. */
const heldUpCells = isFull ? 60_000 : 30_000

test('a small delivery is parsed while the large one of another company is being written', async () => {
  const heavy = await createTestSource(database.pool, { metrics: [testMetric({ group_by: ['country'] })] })
  const other = await createTestSource(database.pool, { metrics: [testMetric({ group_by: ['country'] })] })
  const context = createTestContext(database.pool, {
    environment: { NUMERA_WORKERS: '1', NUMERA_WORKER_POLL_MS: '50' },
  })
  const large = await store(heavy, largeRows(heldUpCells), { format: 'csv' })
  await storeMany(heavy, 2_000)
  const release = await holdWriting(large)
  await using stack = new AsyncDisposableStack()
  stack.defer(release)
  stack.use(await startWorkers(context))
  const isBegun = async () => ((await readAttempts(large)) as { attempts?: number } | undefined)?.attempts
  await expect.poll(isBegun, { interval: 5, timeout: 20_000 }).toBe(1)
  const small: StoredDelivery[] = []
  for (let n = 0; n < 5; n++) {
    small.push(await store(other))
    wakeWorker(100)
    await expect.poll(() => isParsed(small.at(-1)!), { interval: 5, timeout: 20_000 }).toBe(true)
  }
  // All of them came after the large one, and it is not parsed yet.
  expect(await isParsed(large)).toBe(false)
  await release()
  await expect.poll(() => isParsed(large), { interval: 50, timeout: 60_000 }).toBe(true)
})

test('where a company has its rows locked for long, only its small deliveries wait', async () => {
  const stuck = await createTestSource(database.pool)
  const others = await Promise.all([1, 2, 3].map(() => createTestSource(database.pool)))
  const worker = newWorker({ queues: ['small'] })
  await store(stuck)
  await worker.drain()
  const waits = await store(stuck)
  const go = await Promise.all(others.map((source) => store(source)))
  await inTransaction(database.pool, async (client) => {
    await client.query('update samples set value = value where source_id = $1', [stuck.sourceId])
    // The first finds it out, then each company goes alone.
    for (let rounds = 0; rounds < 12; rounds++) await worker.round()
    expect(await Promise.all(go.map(isParsed))).toEqual([true, true, true])
    expect(await isParsed(waits)).toBe(false)
    const later = await store(others[0]!)
    for (let rounds = 0; rounds < 2; rounds++) await worker.round()
    expect(await isParsed(later)).toBe(true)
  })
  const isParsedNow = async (): Promise<boolean> => {
    await worker.round()
    return isParsed(waits)
  }
  await expect.poll(isParsedNow, { interval: 20, timeout: 20_000 }).toBe(true)
  // Nothing of it counts as a fault.
  const { rows } = await database.pool.query('select from backlog')
  expect(rows).toEqual([])
})

/** Sources of more companies than one round takes, in the order in which a worker comes to them. */
const makeMany = async (): Promise<TestSource[]> => {
  const sources = await Promise.all(
    Array.from({ length: roundCompaniesMax + 6 }, () => createTestSource(database.pool)),
  )
  return sources.toSorted((a, b) => (a.companyId < b.companyId ? -1 : 1))
}

test('after a round of small deliveries met a lock, the companies after it are parsed in the next', async () => {
  const sources = await makeMany()
  const stuck = sources[0]!
  await store(stuck)
  await newWorker().drain()
  for (const source of sources) await store(source)
  const worker = newWorker({ queues: ['small'] })
  await inTransaction(database.pool, async (client) => {
    await client.query('update samples set value = value where source_id = $1', [stuck.sourceId])
    // It fails; one of its companies goes alone; those behind have a round together.
    for (let rounds = 0; rounds < 3; rounds++) await worker.round()
    const behind = await Promise.all(sources.slice(roundCompaniesMax).map(waiting))
    expect(behind).toEqual(behind.map(() => 0))
  })
  await worker.drain()
  expect(await Promise.all(sources.map(waiting))).toEqual(sources.map(() => 0))
})

const locked = (some: TestSource[]): [string, unknown[]] => [
  'select from backlog where company_id = any ($1) for update',
  [some.map(({ companyId }) => companyId)],
]

test.each(['small', 'large'] as const)(
  'companies after those whose %s deliveries another process has locked are parsed in the same round',
  async (queue) => {
    const sources = await makeMany()
    for (const source of sources) await store(source)
    if (queue === 'large') {
      await database.pool.query('update backlog set queue = $1', [queues.large])
    }
    const worker = newWorker({ queues: [queue] })
    await inTransaction(database.pool, async (client) => {
      await client.query(...locked(sources.slice(0, roundCompaniesMax)))
      expect(await worker.round()).toMatchObject({ deliveries: sources.length - roundCompaniesMax })
    })
    // Where everything is locked the search ends.
    for (const source of sources.slice(roundCompaniesMax)) await store(source)
    await inTransaction(database.pool, async (client) => {
      await client.query(...locked(sources))
      const other = newWorker({ queues: ['small', 'large'] })
      for (const each of [worker, other]) {
        expect(await each.round()).toMatchObject({ deliveries: 0, isFull: false })
      }
    })
    await newWorker().drain()
    expect(await Promise.all(sources.map(waiting))).toEqual(sources.map(() => 0))
  },
)

test('rebuilds of very many sources of one company delay another company’s by their share only', async () => {
  const first = await createTestSource(database.pool)
  const many = [first]
  while (many.length < 30) many.push(await createTestSource(database.pool, { companyId: first.companyId }))
  const other = await createTestSource(database.pool)
  const all = [...many, other]
  for (const source of all) await storeMany(source, 40)
  await newWorker().drain()
  for (const { companyId, sourceId } of all) {
    await inTransaction(pool, (client) =>
      beginProjection({ shard: firstShard }, client, companyId, sourceId, 1, 'building', clock.now()),
    )
  }
  const maintenance = createProjectionMaintainer({ pool, shard: firstShard, clock, log: quietLog })
  // Nothing is parsed between the steps: those that were begun still fill.
  for (let steps = 0; steps < 2; steps++) {
    await maintenance.step()
    const { rows: filling } = await database.pool.query(
      `select source_id, count(*)::int as waiting from backlog where projection_id <> 0 group by source_id`,
    )
    expect(filling).toHaveLength(rebuildsOfCompanyMax + 1)
    expect(filling).toContainEqual({ source_id: other.sourceId, waiting: 40 })
  }

  const isSwitched = async ({ sourceId }: TestSource): Promise<boolean> => {
    const { rows } = await database.pool.query('select projection_id from sources where source_id = $1', [
      sourceId,
    ])
    return rows[0].projection_id !== 1
  }
  const worker = newWorker({ deliveriesMax: 40 })
  let steps = 0
  while (!(await isSwitched(other))) {
    await worker.round()
    await maintenance.step()
    expect(++steps).toBeLessThan(10)
  }
  const done = (await Promise.all(many.map(isSwitched))).filter(Boolean)
  expect(done.length).toBeLessThan(5)
  // The others follow, and who asks again for one that waits gets the one that waits.
  await inTransaction(pool, (client) =>
    beginProjection(
      { shard: firstShard },
      client,
      first.companyId,
      many.at(-1)!.sourceId,
      1,
      'building',
      clock.now(),
    ),
  )
  for (let steps = 0; steps < 200 && !(await Promise.all(many.map(isSwitched))).every(Boolean); steps++) {
    await worker.drain()
    await maintenance.step()
  }
  expect((await Promise.all(many.map(isSwitched))).every(Boolean)).toBe(true)
  const { rows: states } = await database.pool.query(
    'select state from projections where source_id = $1 order by projection_id',
    [many.at(-1)!.sourceId],
  )
  expect(states).toEqual([{ state: 'retired' }, { state: 'current' }])
})
