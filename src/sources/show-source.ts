import type { Clock } from '../clock.ts'
import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../database/pool.ts'
import { notFound } from '../http/errors.ts'
import { selectShapes, selectSource } from './queries.ts'
import { toShapeVersion, toSource, type ShapeVersion, type Source } from './source.ts'

/**
 * A source with all its shape versions, newest first.
 *
 * @throws 403, 404 as `requireRole`; 404 where it is no source of the company
 */
export const showSource = async (
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<{ source: Source; versions: ShapeVersion[] }> => {
  await requireRole(context.pool, actor, companyId, 'developer')
  const row = await selectSource.first(context.pool, [new Date(context.clock.now()), companyId, sourceId])
  if (row === undefined) throw notFound()
  const versions = await selectShapes.rows(context.pool, [companyId, sourceId])
  return { source: toSource(row), versions: versions.map(toShapeVersion) }
}

/**
 * A source by itself, for whoever may read reports.
 *
 * @throws 404 as `requireRole`; 404 where it is no source of the company
 */
export const findSource = async (
  context: { pool: Queryable; clock: Clock },
  actor: Actor,
  companyId: string,
  sourceId: string,
): Promise<Source> => {
  await requireRole(context.pool, actor, companyId, 'reader')
  const row = await selectSource.first(context.pool, [new Date(context.clock.now()), companyId, sourceId])
  if (row === undefined) throw notFound()
  return toSource(row)
}
