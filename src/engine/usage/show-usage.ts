import { companyLimits, type CompanyLimits } from '../../platform/config/config.ts'
import type { Context } from '../../context.ts'
import { readLimits } from './limits.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import { countDeliveriesSince, selectStoredBytes, selectSums, selectUsed, selectUsage } from './queries.ts'

const minuteMs = 60_000

export interface Usage {
  limits: { limit: keyof CompanyLimits; used: number; max: number }[]
  /** The reached limit that keeps new deliveries out now. */
  reached: string | null
}

/** The usage and limits of a company, for the operator. */
export async function showUsage(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  companyId: string,
): Promise<Usage> {
  const { pool } = context
  const max = await readLimits(context, pool, companyId)
  const counted = (await selectUsed.first(pool, { companyId, at: new Date(context.clock.now()) }))!
  const added = await selectUsage.first(pool, { companyId })
  const waitingBytes = Number(added?.waiting_bytes ?? 0)
  const used: CompanyLimits = {
    sources: Number(counted.sources),
    connections: Number(counted.connections),
    members: Number(counted.members),
    shape_versions: Number(counted.shape_versions),
    cells: Number(added?.cells ?? 0),
    // What waits is stored too.
    stored_bytes: Number(added?.stored_bytes ?? 0) + waitingBytes,
    waiting_bytes: waitingBytes,
    waiting_deliveries: Number(added?.waiting_deliveries ?? 0),
  }
  return {
    limits: companyLimits.map((limit) => ({ limit, used: used[limit], max: max[limit] })),
    reached: counted.over_limit,
  }
}

/** What the companies of a shard have delivered, as last counted. */
export async function sumUsage({
  pool,
  shard,
}: Pick<Context, 'pool' | 'shard'>): Promise<{ deliveries: number; storedBytes: number }> {
  const sums = (await selectSums.first(pool, { shard }))!
  return { deliveries: Number(sums.deliveries), storedBytes: Number(sums.stored_bytes) }
}

/** How many deliveries a second the companies of a shard sent, on average over the last minute. */
export async function readDeliveryRate({
  pool,
  shard,
  clock,
}: Pick<Context, 'pool' | 'shard' | 'clock'>): Promise<number> {
  const since = lowestUuidv7(clock.now() - minuteMs)
  return (await countDeliveriesSince.first(pool, { shard, since }))!.deliveries / (minuteMs / 1_000)
}

/** What each company of a shard has stored, in bytes, as last counted; companies that have nothing may be missing. */
export async function listStoredBytes({
  pool,
  shard,
}: Pick<Context, 'pool' | 'shard'>): Promise<{ companyId: string; bytes: number }[]> {
  const rows = await selectStoredBytes.rows(pool, { shard })
  return rows.map((row) => ({ companyId: row.company_id, bytes: Number(row.stored_bytes) }))
}
