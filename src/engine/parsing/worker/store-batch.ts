import type { Queryable } from '../../../platform/database/pool.ts'
import { int4Array, int8Array, textArray, uuidArray } from '../../../platform/database/binary-array.ts'
import { isParsed, type ParseResult } from '../project/parse-result.ts'
import { noRemarks, toStoredRemarks } from '../plan/remarks.ts'
import { PipelinedStatements } from '../project/pipelined-statements.ts'
import { projectParseResults, type CellsAdded } from '../project/project-parse-results.ts'
import type { AggregatedBatch, FailedRow, LeftToParse } from './aggregate-claimed.ts'
import { rowsToChange } from './claim-rows.ts'
import { finishBatch } from './finish-batch.ts'
import { addAttempt, unmark } from './claim-queries.ts'
import { addParseResults, queueForProjections } from './queries.ts'
import { getAttempt, getNow, type WorkerState } from './worker-state.ts'

export interface StoredBatch {
  counts: { deliveries: number; rowsRead: number; rowsRefused: number; cellsAdded: number }
  failed: FailedRow[]
  /** How many of the claimed rows were parsed or failed; they come first. */
  handled: number
  /** Some rows were left for another round. */
  isCut: boolean
}

/**
 * Stores a batch: parse results, what is left to parse, contributions and samples, failed attempts, and last that its
 * backlog rows are done. `isMarked`: the attempt was stored before.
 */
export async function storeBatch(
  worker: WorkerState,
  client: Queryable,
  batch: AggregatedBatch,
  isMarked: boolean,
): Promise<StoredBatch> {
  const { done, failed, untouched, left, results } = batch
  const first = results.length > 0 ? await storeParseResults(client, results, getNow(worker)) : []
  const parsed = first.filter(isParsed)
  const sent = new PipelinedStatements(client)
  let cellsAdded: CellsAdded
  try {
    if (left.length > 0) await queueLeft(left, sent)
    cellsAdded = await projectParseResults(client, parsed, sent)
    if (failed.length > 0 && !isMarked) {
      await sent.send(addAttempt, {
        ...rowsToChange(
          worker,
          failed.map(({ row }) => row),
        ),
        ...getAttempt(worker),
      })
    }
    if (isMarked && untouched.length > 0) await sent.send(unmark, rowsToChange(worker, untouched))
    await finishBatch(client, done, first, cellsAdded)
  } finally {
    // If a statement sent ahead failed, those awaited failed because of it: report its error.
    await sent.answered()
  }
  return {
    counts: {
      deliveries: done.length,
      rowsRead: parsed.reduce((sum, { outcome }) => sum + outcome.rowsAccepted, 0),
      rowsRefused: parsed.reduce((sum, { outcome }) => sum + outcome.rowsRefused, 0),
      cellsAdded: [...cellsAdded.values()].reduce((sum, cells) => sum + cells, 0),
    },
    failed,
    handled: done.length + failed.length,
    isCut: untouched.length > 0,
  }
}

/** Stores parse results; returns those that are the first of their delivery in their projection. */
async function storeParseResults(
  client: Queryable,
  results: ParseResult[],
  parsedAt: string,
): Promise<ParseResult[]> {
  const outcomes = results.map(({ outcome }) => outcome)
  const parsed = outcomes.map((outcome) => (outcome.state === 'parsed' ? outcome : undefined))
  const written = await addParseResults.rows(client, {
    companyIds: uuidArray(results.map((result) => result.companyId)),
    sourceIds: uuidArray(results.map((result) => result.sourceId)),
    projectionIds: int4Array(results.map((result) => result.projectionId)),
    receiveNumbers: int8Array(results.map((result) => result.receiveNumber)),
    artifactIds: uuidArray(results.map((result) => result.artifactId)),
    states: textArray(outcomes.map(({ state }) => state)),
    reasons: textArray(outcomes.map((outcome) => (outcome.state === 'unreadable' ? outcome.reason : null))),
    rowsAccepted: int4Array(parsed.map((outcome) => outcome?.rowsAccepted ?? 0)),
    rowsRefused: int4Array(parsed.map((outcome) => outcome?.rowsRefused ?? 0)),
    rowsDateAlone: int4Array(parsed.map((outcome) => outcome?.rowsDateAlone ?? 0)),
    refusals: textArray(parsed.map((outcome) => JSON.stringify(outcome?.refusals ?? []))),
    remarks: textArray(
      parsed.map((outcome) => JSON.stringify(toStoredRemarks(outcome?.remarks ?? noRemarks))),
    ),
    parsedAt,
  })
  if (written.length === results.length) return results
  const first = new Set(written.map((row) => `${row.projection_id} ${row.artifact_id}`))
  return results.filter((result) => first.has(`${result.projectionId} ${result.artifactId}`))
}

/** Queues deliveries again, each for a projection that it was not parsed into yet. */
async function queueLeft(left: LeftToParse[], sent: PipelinedStatements): Promise<void> {
  await sent.send(queueForProjections, {
    positions: left.map(({ row }) => row.position),
    projectionIds: int4Array(left.map(({ projectionId }) => projectionId)),
  })
}
