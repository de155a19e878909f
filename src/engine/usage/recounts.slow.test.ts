import type { Pool, PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { seedCompany } from '../../../testing/in-process/seed.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { addUsage, deliveryOverheadBytes } from './add-usage.ts'
import { recountEveryMs, recountSome, recountUsage } from './recount-usage.ts'
import { startUsageScene, toRow as row } from '../../../testing/in-process/scenes/usage-scene.ts'

const scene = await startUsageScene()
const { database, context, worker, used } = scene

/** The service's context, with something that happens after the first statement of that name. */
const interrupted = (name: string, happens: () => Promise<unknown>) => {
  let isDone = false
  const connect = async (): Promise<PoolClient> => {
    const client = await database.pool.connect()
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    const release = client.release.bind(client)
    const patched = {
      query: async (...args: unknown[]) => {
        const result = await query(...args)
        if ((args[0] as { name?: string }).name === name && !isDone) {
          isDone = true
          await happens()
        }
        return result
      },
      release: (broken?: boolean) => {
        for (const key of ['query', 'release']) Reflect.deleteProperty(client, key)
        release(broken)
      },
    }
    return Object.assign(client, patched)
  }
  return { ...context, pool: { connect } as unknown as Pool }
}

const storeSome = async (...countries: string[]): Promise<void> => {
  for (const country of countries)
    await storeDelivery(database.pool, { companyId: scene.companyId, sourceId: scene.sourceId }, [
      row(country),
    ])
}

test.each(['usage.select', 'usage.walk-deliveries', 'usage.walk-cells'])(
  'what is read during a recount, after %s, is counted once; a wrong sum is put right all the same',
  async (name) => {
    await storeSome('SE', 'NO')
    await worker.drain()
    await storeSome('DK', 'FI')
    await addUsage(database.pool, new Map([[scene.companyId, { deliveries: 0, storedBytes: 7, cells: 3 }]]))
    const during = interrupted(name, async () => {
      await storeSome('IS')
      await worker.drain()
    })
    expect(await recountUsage(during, scene.companyId, { rowsMax: 1 })).toBe(true)
    const [cells, bytes] = [await used('cells'), await used('stored_bytes')]
    expect(cells).toBe(5)
    expect(bytes).toBe(5 * (JSON.stringify([row('SE')]).length + deliveryOverheadBytes))
    await recountUsage(context, scene.companyId)
    expect([await used('cells'), await used('stored_bytes')]).toEqual([cells, bytes])
  },
)

test('of two recounts of a company one counts, and a later one only when forced', async () => {
  await storeSome('SE')
  await worker.drain()
  let second: boolean | undefined
  const first = interrupted('usage.walk-cells', async () => {
    second = await recountUsage(context, scene.companyId)
  })
  expect(await recountUsage(first, scene.companyId)).toBe(true)
  expect(second).toBe(false)
  expect(await used('cells')).toBe(1)
  expect(await recountUsage(context, scene.companyId)).toBe(true)
})

const recountedAt = async (id = scene.companyId): Promise<Date | null> => {
  const { rows } = await database.pool.query<{ recounted_at: Date | null }>(
    'select recounted_at from company_usage where company_id = $1',
    [id],
  )
  return rows[0]?.recounted_at ?? null
}

test('a recount that is ended or fails leaves the sums, and the company is still due; the others are counted', async () => {
  await storeSome('SE', 'NO')
  await worker.drain()
  await addUsage(database.pool, new Map([[scene.companyId, { deliveries: 0, storedBytes: 0, cells: 5 }]]))
  const ending = new AbortController()
  const ended = interrupted('usage.walk-deliveries', async () => ending.abort())
  await expect(recountUsage(ended, scene.companyId, { rowsMax: 1, signal: ending.signal })).rejects.toThrow(
    /abort/,
  )
  expect(await used('cells')).toBe(7)
  expect(await recountedAt()).toBeNull()
  // Its lock is gone with it.
  const failing = interrupted('usage.walk-deliveries', async () => {
    throw new Error('a slow part')
  })
  const other = (await seedCompany(context)).company.companyId
  const warnings: unknown[] = []
  const log = { ...context.log, warn: (details: unknown) => warnings.push(details) }
  let connections = 0
  const once = {
    ...context,
    log: log as unknown as typeof context.log,
    pool: {
      query: database.pool.query.bind(database.pool),
      connect: () => (connections++ === 0 ? failing.pool : database.pool).connect(),
    } as unknown as Pool,
  }
  await database.pool.query(
    `insert into company_usage (company_id, recounted_at) select company_id, $2 from companies
     on conflict (company_id) do update
     set recounted_at = case when company_usage.company_id = any ($1::uuid[]) then null else excluded.recounted_at end`,
    [[scene.companyId], new Date(context.clock.now())],
  )
  await database.pool.query('update company_usage set recounted_at = $2 where company_id = $1', [
    other,
    new Date(context.clock.now() - 2 * recountEveryMs),
  ])
  await recountSome(once)
  expect(warnings).toHaveLength(1)
  expect(await recountedAt()).toBeNull()
  expect(await recountedAt(other)).toEqual(new Date(context.clock.now()))
  await recountSome(context)
  expect(await used('cells')).toBe(2)
  expect(await recountedAt()).toEqual(new Date(context.clock.now()))
})
