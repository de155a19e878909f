import type { Queryable } from '../../../platform/database/pool.ts'
import type { Queue } from '../../backlog/queues.ts'
import { aggregateDelivery } from '../decode/aggregate-delivery.ts'
import { decodeContent } from '../decode/decode-content.ts'
import { isParsed, type ParseResult } from '../project/parse-result.ts'
import { release } from '../../tables/long-lists.ts'
import type { PlanCache, WantedPlan } from './plan-cache.ts'
import type { ClaimedRow } from './claim-queries.ts'
import { readStoredContent } from './read-stored-content.ts'
import type { WorkerState } from './worker-state.ts'

/**
 * Roughly how much a round writes, in bytes (`write-allowance.ts`). The delivery that reaches it is the last; the rest
 * waits for the next round.
 */
const roundWrittenBytesMax = 24 * 1024 * 1024
/** The same for small deliveries: less, so that the next one waits about a second at most. */
const smallRoundWrittenBytesMax = 4 * 1024 * 1024

/** A projection that a large delivery is still to be parsed into. */
export interface LeftToParse {
  row: ClaimedRow
  projectionId: number
}

export interface FailedRow {
  row: ClaimedRow
  error: unknown
}

/** What came of the claimed deliveries of a batch. */
export interface AggregatedBatch {
  done: ClaimedRow[]
  failed: FailedRow[]
  /** Claimed, and left for another round. */
  untouched: ClaimedRow[]
  left: LeftToParse[]
  /** Sorted, each (projection, delivery) once. */
  results: ParseResult[]
}

/** A projection of a claimed delivery, and the plan to aggregate the delivery by. */
interface WantedProjection {
  projectionId: number
  wanted: WantedPlan
}

/** A claimed delivery and the projections to parse it into. */
interface Parsing {
  row: ClaimedRow
  sandbox: boolean
  projections: WantedProjection[]
}

/** Decodes and aggregates as many of the claimed deliveries as one batch may hold. */
export async function aggregateClaimed(
  worker: WorkerState,
  client: Queryable,
  queue: Queue,
  rows: ClaimedRow[],
): Promise<AggregatedBatch> {
  const { log, plans, bytesMax } = worker
  const present = rows.filter((row) => row.sandbox !== null)
  await plans.load(
    client,
    present.flatMap((row) => listProjections(row).map(({ wanted }) => wanted)),
  )
  const batch: AggregatedBatch = { done: [], failed: [], untouched: [], left: [], results: [] }
  /**
   * By projection and delivery: two backlog rows may be for the same one. A receive number does not tell deliveries of two
   * companies apart, once one of them has moved to the shard.
   */
  const results = new Map<string, ParseResult>()
  const writtenMax = queue === 'small' ? smallRoundWrittenBytesMax : roundWrittenBytesMax
  let written = 0
  let bytes = 0
  for (const [index, row] of rows.entries()) {
    const projections = listProjections(row)
    const bytesAggregated = row.content_bytes * projections.length
    if (written > writtenMax || (bytes > 0 && bytes + bytesAggregated > bytesMax)) {
      batch.untouched = rows.slice(index)
      break
    }
    if (row.sandbox === null) {
      log.warn({ artifactId: row.artifact_id }, 'a delivery is gone that was still to be parsed')
    } else if (projections.length > 0) {
      // What a delivery says is kept in memory until it is written, so a large one is parsed into one projection at a
      // time.
      const now = bytesAggregated > bytesMax ? projections.slice(0, 1) : projections
      const stored = await readStoredContent(client, row)
      try {
        for (const result of aggregateRow(plans, { row, sandbox: row.sandbox, projections: now }, stored)) {
          results.set(`${result.projectionId} ${result.artifactId}`, result)
          if (isParsed(result)) written += result.outcome.writtenBytes
        }
      } catch (error) {
        batch.failed.push({ row, error })
        continue
      }
      for (const { projectionId } of projections.slice(now.length)) batch.left.push({ row, projectionId })
      bytes += bytesAggregated
    }
    batch.done.push(row)
  }
  batch.results = [...results.values()].toSorted(bySourceAndProjection)
  return batch
}

/** Decodes one delivery and aggregates it for some projections. */
function aggregateRow(
  plans: PlanCache,
  { row, sandbox, projections }: Parsing,
  stored: Buffer,
): ParseResult[] {
  const content = decodeContent({ ...row, content: stored })
  if (content !== stored) release(stored)
  const results = projections.map(({ projectionId, wanted }): ParseResult => {
    const { plan, delivers } = plans.get(wanted)
    return {
      companyId: row.company_id,
      sourceId: row.source_id,
      projectionId,
      delivers,
      artifactId: row.artifact_id,
      receiveNumber: Number(row.receive_number),
      receivedAt: row.received_at,
      sandbox,
      outcome: aggregateDelivery(plan, content, row.format, { receivedAt: row.received_at }),
    }
  })
  release(content)
  return results
}

/** The projections of a claimed row, each with the plan to aggregate the delivery by. */
function listProjections(row: ClaimedRow): WantedProjection[] {
  return (row.projections?.split(',') ?? []).map((pair) => {
    const [projectionId, projectionShapeVersion] = pair.split(':').map(Number)
    return {
      projectionId: projectionId!,
      wanted: {
        companyId: row.company_id,
        sourceId: row.source_id,
        projectionShapeVersion: projectionShapeVersion!,
        deliveryShapeVersion: row.shape_version,
      },
    }
  })
}

function bySourceAndProjection(a: ParseResult, b: ParseResult): number {
  return (
    compare(a.companyId, b.companyId) ||
    compare(a.sourceId, b.sourceId) ||
    a.projectionId - b.projectionId ||
    a.receiveNumber - b.receiveNumber
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
