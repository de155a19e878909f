import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.ts'
import { inTransaction } from '../database/transaction.ts'
import { awaitFold, FoldStuckError } from './await-projection.ts'
import { beginFold } from './begin-projection.ts'
import {
  compareSamples,
  countReadApart,
  readSourcesToFold,
  retireFold,
  type FoldDifference,
} from './queries.ts'

export type { FoldDifference }

export interface SourceToFold {
  company_id: string
  source_id: string
  /** The fold that is read, and its shape version. */
  fold_id: number
  shape_version: number
}

export interface FoldComparison {
  /** The first of them. */
  differences: FoldDifference[]
  /** Deliveries that are in one fold and not in the other. */
  readApart: number
}

export interface CompareOptions {
  pool: Pool
  clock: Clock
  /** Does some of the reading and of the chores of folds, where no other process may be running. */
  work: () => Promise<void>
}

/** Differences of a source that are told; further ones are not. */
export const differencesMax = 100
const pauseMs = 20
/** While deliveries come in, some may be in one fold and not yet in the other; those that stay are a difference. */
const attemptsMax = 50

/** The sources of a company, or one, or all: those that a refold is asked for. */
export const sourcesToFold = (
  pool: Pool,
  companyId: string | null,
  sourceId: string | null,
): Promise<SourceToFold[]> => readSourcesToFold.rows(pool, [companyId, sourceId])

const compareOnce = async (pool: Pool, source: SourceToFold, shadowId: number): Promise<FoldComparison> =>
  inTransaction(pool, async (client) => {
    // Both folds as they are at one moment: a reader writes to both in one transaction.
    await client.query('set transaction isolation level repeatable read, read only')
    const folds = [source.company_id, source.source_id, source.fold_id, shadowId] as const
    const [current] = await readSourcesToFold.rows(client, [source.company_id, source.source_id])
    if (current?.fold_id !== source.fold_id)
      throw new FoldStuckError('the source is read from another fold by now')
    const { deliveries } = (await countReadApart.first(client, [...folds]))!
    return {
      readApart: deliveries,
      differences: deliveries > 0 ? [] : await compareSamples.rows(client, [...folds, differencesMax]),
    }
  })

/**
 * Folds every stored delivery of a source anew into a shadow and compares its samples with those that are read, both
 * ways: value, event time, delivery, and whether there is a value at all. Deliveries may come in meanwhile. The shadow
 * is retired afterwards, whatever happened.
 *
 * @throws FoldStuckError where a delivery can not be read
 */
export const compareFolds = async (
  options: CompareOptions,
  source: SourceToFold,
): Promise<FoldComparison> => {
  const { pool, clock, work } = options
  const { company_id: companyId, source_id: sourceId, shape_version: shapeVersion } = source
  const shadowId = await inTransaction(pool, (client) =>
    beginFold(client, companyId, sourceId, shapeVersion, 'shadow', clock.now()),
  )
  try {
    await awaitFold(pool, { companyId, sourceId, foldId: shadowId }, work)
    for (let attempts = 1; ; attempts++) {
      const comparison = await compareOnce(pool, source, shadowId)
      if (comparison.readApart === 0 || attempts === attemptsMax) return comparison
      await work()
      await sleep(pauseMs)
    }
  } finally {
    await retireFold.run(pool, [companyId, sourceId, shadowId])
  }
}
