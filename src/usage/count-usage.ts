import type { Context } from '../context.ts'
import type { Queryable } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { beginCount, countWaiting, markOverLimit, takeRecount, tryCounting } from './queries.ts'
import { recountUsage } from './recount-usage.ts'

/** How often what waits is counted and limits are compared: for this long a company may be beyond one. Milliseconds. */
export const usageCountEveryMs = 10_000
/** How often what a company holds is counted anew from the tables themselves, milliseconds. */
export const recountEveryMs = 86_400_000
/** Companies that are counted anew in one go. */
export const recountsMax = 100
/**
 * Waiting deliveries of all companies that are counted; further ones are not, and their companies count as having
 * fewer.
 */
export const waitingCountedMax = 5_000_000

type CountContext = Pick<Context, 'pool' | 'clock' | 'config'>

/** Compares what one company holds with its limits, or with null what each does. */
export const compareWithLimits = async (
  context: Pick<CountContext, 'config'>,
  on: Queryable,
  companyId: string | null,
): Promise<void> => {
  const { cells, stored_bytes, waiting_bytes, waiting_deliveries } = context.config.companyLimits
  await markOverLimit.run(on, [cells, stored_bytes, waiting_bytes, waiting_deliveries, companyId])
}

/** Counts anew the companies for which it is time, those first for which it is longest. */
const recountSome = async ({ pool, clock }: CountContext): Promise<void> => {
  for (let companies = 0; companies < recountsMax; companies++) {
    const now = clock.now()
    const due = await takeRecount.first(pool, [new Date(now), new Date(now - recountEveryMs)])
    if (due === undefined) return
    await recountUsage(pool, due.company_id)
  }
}

/**
 * Counts what waits by company, and says of each company which limit it has reached. Any number of processes may call: one
 * at a time counts, and what was counted a moment ago is not counted again. Who counted also counts some companies anew
 * from the tables themselves, each once a day. Says whether it counted.
 */
export const countUsage = async (context: CountContext): Promise<boolean> => {
  const now = context.clock.now()
  const counted = await inTransaction(context.pool, async (client) => {
    if (!(await tryCounting.first(client, []))!.mine) return false
    const lately = new Date(now - usageCountEveryMs / 2)
    if ((await beginCount.first(client, [new Date(now), lately])) === undefined) return false
    await countWaiting.run(client, [waitingCountedMax])
    await compareWithLimits(context, client, null)
    return true
  })
  if (counted) await recountSome(context)
  return counted
}
