import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock/clock.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { awaitProjection, ProjectionStuckError } from './await-projection.ts'
import { beginProjection } from './begin-projection.ts'
import {
  compareSamples,
  countInOneProjectionOnly,
  readSourcesToCompare,
  retireProjection,
  type ProjectionDifference,
} from './queries.ts'

export type { ProjectionDifference }

export interface SourceToCompare {
  company_id: string
  source_id: string
  /** The current projection and its shape version. */
  projection_id: number
  shape_version: number
}

export interface ProjectionComparison {
  /** The first differences. */
  differences: ProjectionDifference[]
  /** Deliveries that are in one projection and not in the other. */
  inOneProjectionOnly: number
}

export interface CompareOptions {
  pool: Pool
  /** The shard of the pool. */
  shard: number
  clock: Clock
  /** Does some parsing and projection maintenance, in case no other process is running. */
  work: () => Promise<void>
}

/** Differences of a source that are reported; further ones are not. */
const differencesMax = 100
const pauseMs = 20
/**
 * While deliveries arrive, some may be in one projection but not yet in the other; only lasting ones are differences.
 */
const attemptsMax = 50

/** The sources of a shard to rebuild: those of a company, a single one, or all. */
export async function sourcesToCompare(
  { pool, shard }: Pick<CompareOptions, 'pool' | 'shard'>,
  companyId: string | null,
  sourceId: string | null,
): Promise<SourceToCompare[]> {
  return readSourcesToCompare.rows(pool, { shard, companyId, sourceId })
}

async function compareOnce(
  { pool, shard }: Pick<CompareOptions, 'pool' | 'shard'>,
  source: SourceToCompare,
  trialId: number,
): Promise<ProjectionComparison> {
  const { company_id: companyId, source_id: sourceId, projection_id: currentId } = source
  return inTransaction(pool, async (client) => {
    // Both projections at the same moment: a worker writes to both in one transaction.
    await client.query('set transaction isolation level repeatable read, read only')
    const projections = { companyId, sourceId, currentId, trialId }
    const [current] = await readSourcesToCompare.rows(client, { shard, companyId, sourceId })
    if (current?.projection_id !== currentId)
      throw new ProjectionStuckError('the source is read from another projection by now')
    const { deliveries } = (await countInOneProjectionOnly.first(client, projections))!
    return {
      inOneProjectionOnly: deliveries,
      differences:
        deliveries > 0 ? [] : await compareSamples.rows(client, { ...projections, differencesMax }),
    }
  })
}

/**
 * Rebuilds a source from all stored deliveries into a trial rebuild and compares its samples with the current ones,
 * both ways: value, event time, delivery, and whether there is a value at all. Deliveries may arrive meanwhile. The
 * trial rebuild is always retired afterwards.
 *
 * @throws ProjectionStuckError if a delivery cannot be parsed
 */
export async function compareProjections(
  options: CompareOptions,
  source: SourceToCompare,
): Promise<ProjectionComparison> {
  const { pool, shard, clock, work } = options
  const { company_id: companyId, source_id: sourceId, shape_version: shapeVersion } = source
  const trialId = await inTransaction(pool, (client) =>
    beginProjection({ shard }, client, companyId, sourceId, shapeVersion, 'trial', clock.now()),
  )
  try {
    await awaitProjection(pool, { companyId, sourceId, projectionId: trialId }, work)
    for (let attempts = 1; ; attempts++) {
      const comparison = await compareOnce(options, source, trialId)
      if (comparison.inOneProjectionOnly === 0 || attempts === attemptsMax) return comparison
      await work()
      await sleep(pauseMs)
    }
  } finally {
    await retireProjection.run(pool, { companyId, sourceId, projectionId: trialId })
  }
}
