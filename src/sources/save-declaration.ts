import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { actorMemberId, type Actor } from '../companies/actor.ts'
import { holdRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { conflict, notFound } from '../http/errors.ts'
import { beginProjection } from '../projections/begin-projection.ts'
import { wakeWorker } from '../backlog/wake.ts'
import { requireShapeVersion } from '../usage/require-room.ts'
import { changesAggregation } from './changes-aggregation.ts'
import type { Declaration } from './declaration.ts'
import { insertShape, lockSourceRow, selectShape, updateShapeVersion } from './queries.ts'
import { requireDeclaration } from './require-declaration.ts'

export interface SavedDeclaration {
  /** The version that this save made. */
  shapeVersion: number
  /** The stored deliveries are rebuilt; until that is done the old samples are read. */
  rebuilds: boolean
}

/**
 * Saves a declaration as the next shape version. Where it counts differently than before, the stored deliveries are
 * rebuilt [fold.change].
 *
 * @param expectedVersion the version that the caller has seen: two people who save at once do not overwrite each other
 * @throws 400 with the field that is wrong; 403, 404 as `requireRole`; 404 where it is no source of the company;
 *   409 `conflict` where the current version is another one, or the source has as many as it may
 */
export async function saveDeclaration(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  expectedVersion: number,
  declaration: Declaration,
): Promise<SavedDeclaration> {
  const saved = await inTransaction(context.pool, async (client) => {
    await holdRole(client, actor, companyId, 'developer')
    const locked = await lockSourceRow.first(client, { companyId, sourceId })
    if (locked === undefined) throw notFound()
    const current = locked.shape_version
    if (current !== expectedVersion) {
      throw conflict(`Somebody saved version ${current} meanwhile.`, 'expected_version')
    }
    requireDeclaration(declaration)
    await requireShapeVersion(context, client, companyId, current + 1)
    const before = (await selectShape.first(client, { companyId, sourceId, shapeVersion: current }))!
    const shapeVersion = current + 1
    const { fields, event_time, metrics, delivers } = declaration
    const now = context.clock.now()
    const at = new Date(now)
    await insertShape.run(client, {
      companyId,
      sourceId,
      shapeVersion,
      fields: JSON.stringify(fields),
      eventTime: event_time,
      metrics: JSON.stringify(metrics),
      delivers,
      savedBy: actorMemberId(actor),
      savedAt: at,
    })
    await updateShapeVersion.run(client, { companyId, sourceId, shapeVersion })
    const rebuilds = changesAggregation(before, declaration)
    if (rebuilds) await beginProjection(client, companyId, sourceId, shapeVersion, 'building', now)
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'source_version_saved',
      subject: { kind: 'source', id: sourceId, name: locked.name },
      details: { shape_version: shapeVersion, rebuilds },
      atMs: now,
    })
    return { shapeVersion, rebuilds }
  })
  if (saved.rebuilds) wakeWorker()
  return saved
}
