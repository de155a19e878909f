import type { PoolClient } from 'pg'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import type { Context } from '../../context.ts'
import { beginProjection } from '../../engine/projections/begin-projection.ts'
import { requireShapeVersion } from '../../engine/usage/require-quota.ts'
import { changesAggregation } from '../../engine/declarations/changes-aggregation.ts'
import type { Declaration } from '../../engine/declarations/declaration.ts'
import { insertShape, updateShapeVersion, type ShapeVersionRow } from './queries.ts'

export interface SavedDeclaration {
  /** The version that this save created. */
  shapeVersion: number
  /** The stored deliveries are rebuilt; until that is done the old samples are read. */
  rebuilds: boolean
}

interface NewShapeVersion {
  actor: Actor
  companyId: string
  sourceId: string
  /** What the source is called. */
  name: string
  /** The current version. */
  before: ShapeVersionRow
  /** A declaration that may be saved. */
  declaration: Declaration
}

/**
 * Stores a declaration as the next shape version, in the transaction of a caller who holds the source's row. Where it
 * counts differently than before, the stored deliveries are rebuilt [fold.change]; once that has committed, a worker is
 * to be woken.
 *
 * @throws 409 `conflict` where the source has as many versions as it may
 */
export async function storeShapeVersion(
  context: Pick<Context, 'clock' | 'config'>,
  client: PoolClient,
  { actor, companyId, sourceId, name, before, declaration }: NewShapeVersion,
): Promise<SavedDeclaration> {
  const shapeVersion = before.shape_version + 1
  await requireShapeVersion(context, client, companyId, shapeVersion)
  const { fields, event_time, metrics, delivers } = declaration
  const now = context.clock.now()
  await insertShape.run(client, {
    companyId,
    sourceId,
    shapeVersion,
    fields: JSON.stringify(fields),
    eventTime: event_time,
    metrics: JSON.stringify(metrics),
    delivers,
    savedBy: actorMemberId(actor),
    savedAt: new Date(now),
  })
  await updateShapeVersion.run(client, { companyId, sourceId, shapeVersion })
  const rebuilds = changesAggregation(before, declaration)
  if (rebuilds) await beginProjection(client, companyId, sourceId, shapeVersion, 'building', now)
  await recordAuditEvent(client, {
    companyId,
    actor,
    action: 'source_version_saved',
    subject: { kind: 'source', id: sourceId, name },
    details: { shape_version: shapeVersion, rebuilds },
    atMs: now,
  })
  return { shapeVersion, rebuilds }
}
