import type { Context } from '../../context.ts'
import { int8Array, uuidArray } from '../../platform/database/binary-array.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { beginCount, countWaiting, markReached, selectReached, setWaiting, tryCounting } from './queries.ts'

/** How often what waits is counted and compared with limits: a company may exceed one for this long. Milliseconds. */
export const usageCountEveryMs = 10_000
/**
 * Waiting deliveries of one company that are counted, or one more than its limit if that is less; further ones, and
 * their bytes, are not.
 */
const waitingCountedMax = 5_000_000

type CountContext = Pick<Context, 'pool' | 'shard' | 'clock' | 'config'>

/** Compares the usage of one company with its limits, or with null that of each company of the shard. */
export async function compareWithLimits(
  { config, shard }: Pick<CountContext, 'config' | 'shard'>,
  on: Queryable,
  companyId: string | null,
): Promise<void> {
  const { cells, stored_bytes, waiting_bytes, waiting_deliveries } = config.companyLimits
  const found = await selectReached.rows(on, {
    shard,
    cells,
    storedBytes: stored_bytes,
    waitingBytes: waiting_bytes,
    waitingDeliveries: waiting_deliveries,
    companyId,
  })
  if (found.length === 0) return
  await markReached.run(on, {
    companyIds: found.map((company) => company.company_id),
    reached: found.map((company) => company.reached),
  })
}

/** Counts what waits by company of the shard, if it is this process's turn. */
async function countInTurn({ pool, shard, clock, config }: CountContext): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    if (!(await tryCounting.first(client, { shard }))!.mine) return false
    const now = clock.now()
    const lately = new Date(now - usageCountEveryMs / 2)
    if ((await beginCount.first(client, { now: new Date(now), after: lately })) === undefined) return false
    const waiting = await countWaiting.rows(client, {
      waitingDeliveries: config.companyLimits.waiting_deliveries,
      deliveriesMax: waitingCountedMax,
    })
    // Last, since it holds rows that the workers add to.
    await setWaiting.run(client, {
      companyIds: uuidArray(waiting.map((company) => company.company_id)),
      deliveries: int8Array(waiting.map((company) => company.deliveries)),
      bytes: int8Array(waiting.map((company) => company.bytes)),
    })
    return true
  })
}

/**
 * Counts what waits by company of a shard, and marks the limit that each has reached. Any number of processes may call:
 * one at a time counts it, and what was counted a moment ago is not counted again. Gives whether it counted.
 *
 * @throws what the counting throws; limits have been compared all the same, with what was counted before
 */
export async function countUsage(context: CountContext): Promise<boolean> {
  const [counting] = await Promise.allSettled([countInTurn(context)])
  if (counting.status === 'fulfilled' && !counting.value) return false
  // In a transaction of its own: no worker waits for a company while it is compared.
  await inTransaction(context.pool, (client) => compareWithLimits(context, client, null))
  if (counting.status === 'rejected') throw counting.reason
  return true
}
