import { randomInt } from 'node:crypto'
import type { Queryable } from '../../../platform/database/pool.ts'
import { int4Array, uuidArray } from '../../../platform/database/binary-array.ts'
import { addUsage, deliveryOverheadBytes, type AddedUsage } from '../../usage/add-usage.ts'
import { isParsed, type ParseResult } from '../project/parse-result.ts'
import type { CellsAdded } from '../project/project-parse-results.ts'
import type { ClaimedRow } from './claim-queries.ts'
import { finishRound } from './queries.ts'

/**
 * A version of samples grows by up to this much. The step is random, so that two histories of a database that part, as
 * after a failover that lost the last commits, do not give different samples the same version: what is cached in a
 * process or replayed by a standby is known by it. A bigint has place for 69 thousand million steps.
 */
const versionStepMax = 2 ** 28

/** A projection was retired between the round's first statement and its last. */
export class ProjectionRetiredError extends Error {
  override name = 'ProjectionRetiredError'
}

/**
 * Deletes the claimed rows from the backlog, raises the versions of the projections that changed, and adds to the
 * companies' usage. Results are sorted, and so are their projections.
 *
 * @throws ProjectionRetiredError if one of the projections was retired meanwhile
 */
export async function finishBatch(
  client: Queryable,
  done: ClaimedRow[],
  results: ParseResult[],
  cellsAdded: CellsAdded,
): Promise<void> {
  const projections = new Map<string, { result: ParseResult; growth: number }>()
  for (const result of results) {
    const key = `${result.sourceId} ${result.projectionId}`
    const projection = projections.get(key) ?? { result, growth: 0 }
    if (isParsed(result) && result.outcome.metrics.some(({ periods }) => periods.size > 0))
      projection.growth ||= randomInt(1, versionStepMax)
    projections.set(key, projection)
  }
  const written = [...projections.values()]
  const active = await finishRound.rows(client, {
    positions: done.map((row) => row.position),
    companyIds: uuidArray(written.map(({ result }) => result.companyId)),
    sourceIds: uuidArray(written.map(({ result }) => result.sourceId)),
    projectionIds: int4Array(written.map(({ result }) => result.projectionId)),
    growths: int4Array(written.map(({ growth }) => growth)),
  })
  if (active.length < written.length)
    throw new ProjectionRetiredError('a projection was retired while it was written to')
  // Every statement sent before has been answered by now, so all new cells are counted.
  await addUsage(client, addedBy(done, cellsAdded))
}

/** What a batch adds to its companies' usage: deliveries parsed for the first time, and new cells. */
function addedBy(done: ClaimedRow[], cellsAdded: CellsAdded): Map<string, AddedUsage> {
  const added = new Map<string, AddedUsage>()
  const getUsage = (companyId: string): AddedUsage => {
    const usage = added.get(companyId) ?? { deliveries: 0, storedBytes: 0, cells: 0 }
    added.set(companyId, usage)
    return usage
  }
  for (const { company_id, projection_id, sandbox, content_bytes } of done) {
    // A row for a single projection is of a delivery that was counted before.
    if (projection_id !== null || sandbox === null) continue
    const usage = getUsage(company_id)
    usage.deliveries++
    usage.storedBytes += content_bytes + deliveryOverheadBytes
  }
  for (const [companyId, cells] of cellsAdded) getUsage(companyId).cells += cells
  return added
}
