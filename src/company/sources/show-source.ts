import type { Clock } from '../../platform/clock/clock.ts'
import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { numberRows, toPage, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { selectShape, selectShapes, selectSource } from './queries.ts'
import { selectActiveSigningSecrets } from './signing-secrets/queries.ts'
import { countStored, readActivity, type SourceActivity, type StoredDeliveries } from './source-activity.ts'
import { toShapeVersion, toSource, type ShapeVersion, type Source } from './source.ts'

/**
 * A source with its shape versions, newest first.
 *
 * @throws 403, 404 as `requireRole`; 404 if the company has no such source; 400 with field `cursor` or `limit`
 */
export async function showSource(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  request: PageRequest = {},
): Promise<{ source: Source; versions: Page<ShapeVersion> }> {
  await requireRole(context.pool, actor, companyId, 'developer')
  const row = await selectSource.first(context.pool, {
    at: new Date(context.clock.now()),
    companyId,
    sourceId,
  })
  if (row === undefined) throw notFound()
  const { before, limit } = numberRows(request)
  const rows = await selectShapes.rows(context.pool, { companyId, sourceId, before, limit: limit + 1 })
  const page = toPage(rows, limit, (shape) => String(shape.shape_version), rows.at(-1)?.more)
  return { source: toSource(row), versions: { ...page, items: page.items.map(toShapeVersion) } }
}

/** What a source's page shows in addition to its versions. */
export interface SourceState {
  activity: SourceActivity
  stored: StoredDeliveries
  /** Those that work, the current one first, which has no end. */
  signingSecrets: { createdAt: Date; endsAt: Date | null }[]
}

/** The state of a source. The caller has checked the actor's role. */
export async function readSourceState(
  context: Pick<Context, 'readPool' | 'clock'>,
  companyId: string,
  source: Source,
): Promise<SourceState> {
  const { readPool, clock } = context
  const { sourceId } = source
  const now = clock.now()
  const activities = await readActivity(readPool, companyId, [source], now)
  const secrets = await selectActiveSigningSecrets.rows(readPool, { companyId, sourceId, at: new Date(now) })
  return {
    activity: activities.get(sourceId)!,
    stored: await countStored(readPool, companyId, sourceId),
    signingSecrets: secrets.map((row) => ({ createdAt: row.created_at, endsAt: row.ends_at })),
  }
}

/**
 * A source with its current shape version, for members who may change it.
 *
 * @throws 403, 404 as `requireRole`; 404 if the company has no such source
 */
export async function findDeclaredSource(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<{ source: Source; version: ShapeVersion }> {
  const { pool, clock } = context
  await requireRole(pool, actor, companyId, 'developer')
  const row = await selectSource.first(pool, { at: new Date(clock.now()), companyId, sourceId })
  if (row === undefined) throw notFound()
  const shape = await selectShape.first(pool, { companyId, sourceId, shapeVersion: row.shape_version })
  return { source: toSource(row), version: toShapeVersion(shape!) }
}

/**
 * Only the source, for every member of the company, since reports are read by source.
 *
 * @throws 404 as `requireRole`; 404 if the company has no such source
 */
export async function findSource(
  context: { pool: Queryable; clock: Clock },
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<Source> {
  await requireRole(context.pool, actor, companyId, 'reader')
  const row = await selectSource.first(context.pool, {
    at: new Date(context.clock.now()),
    companyId,
    sourceId,
  })
  if (row === undefined) throw notFound()
  return toSource(row)
}
