import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Actor } from '../../people/members/actor.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { beginProjection } from '../../engine/projections/begin-projection.ts'
import { wakeWorker } from '../../engine/backlog/wake.ts'
import { lockSource } from './lock-source.ts'

/**
 * Rebuilds a source from all stored deliveries by its current declaration [fold.change].
 *
 * @throws 403, 404 as `requireRole`; 404 if the company has no such source
 */
export async function requestRebuild(
  context: Pick<Context, 'pool' | 'shard' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<void> {
  await inTransaction(context.pool, async (client) => {
    const locked = await lockSource(context, client, actor, companyId, sourceId)
    const now = context.clock.now()
    await beginProjection(context, client, companyId, sourceId, locked.shape_version, 'building', now)
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'source_rebuilt',
      subject: { kind: 'source', id: sourceId, name: locked.name },
      atMs: now,
    })
  })
  wakeWorker()
}
