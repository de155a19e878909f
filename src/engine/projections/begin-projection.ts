import type { Context } from '../../context.ts'
import { requireHere } from '../../people/companies/moves/require-here.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { insertProjection, lockSource, retireBuilding, selectWaitingBuilding } from './queries.ts'

/**
 * Begins to aggregate a source's stored deliveries again, by the metrics and the mode of one of its shape versions
 * [fold.change], inside the caller's transaction. The workers do the rest: a `building` projection replaces the current
 * one when it is complete; a `trial` is only filled, for comparison. A newer building projection replaces an older one
 * that is not complete; but where one by the same shape version waits to begin, that one is it. Returns the projection's
 * number.
 *
 * The stored deliveries are put into the backlog only after this has committed (`maintain-projections.ts`). So none is
 * missed: a delivery that a worker claimed before it could see the new projection was stored by then, and is found.
 * One that is found twice is parsed once (`addParseResults`).
 *
 * @throws OverloadedError if the company moves to another shard right now
 */
export async function beginProjection(
  { shard }: Pick<Context, 'shard'>,
  client: Queryable,
  companyId: string,
  sourceId: string,
  shapeVersion: number,
  state: 'building' | 'trial',
  nowMs: number,
): Promise<number> {
  await requireHere(client, { shard }, companyId)
  await lockSource.run(client, { companyId, sourceId })
  if (state === 'building') {
    const waiting = await selectWaitingBuilding.first(client, { companyId, sourceId, shapeVersion })
    if (waiting !== undefined) return waiting.projection_id
    await retireBuilding.run(client, { companyId, sourceId })
  }
  const projection = await insertProjection.first(client, {
    companyId,
    sourceId,
    shapeVersion,
    state,
    createdAt: new Date(nowMs).toISOString(),
  })
  return projection!.projection_id
}
