import { lockCompany } from '../../people/companies/lock-company.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { compareWithLimits } from './count-usage.ts'
import { readOwnLimits, type OwnLimits } from './limits.ts'
import { upsertLimits } from './queries.ts'

/**
 * Sets some limits of one company; null resets one to the deployment's default. Only for the operator.
 *
 * @param record what differs from before, in the same transaction; not called where nothing does
 */
export async function setLimits(
  context: Pick<Context, 'pool' | 'shard' | 'config'>,
  companyId: string,
  changes: Partial<OwnLimits>,
  record?: (on: Queryable, changed: Partial<OwnLimits>) => Promise<void>,
): Promise<OwnLimits> {
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    const before = await readOwnLimits(client, companyId)
    const limits: OwnLimits = { ...before, ...changes }
    await upsertLimits.run(client, {
      companyId,
      sources: limits.sources,
      connections: limits.connections,
      members: limits.members,
      shapeVersions: limits.shape_versions,
      cells: limits.cells,
      storedBytes: limits.stored_bytes,
      waitingBytes: limits.waiting_bytes,
      waitingDeliveries: limits.waiting_deliveries,
    })
    const changed = Object.entries(changes).filter(
      ([name, value]) => value !== before[name as keyof OwnLimits],
    )
    if (changed.length > 0) await record?.(client, Object.fromEntries(changed))
    await compareWithLimits(context, client, companyId)
    return limits
  })
}
