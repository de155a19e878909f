import { uuidArray } from '../../../platform/database/binary-array.ts'
import { numberRows, type PageRequest } from '../../../platform/http/pagination.ts'
import { cellId } from '../../../engine/parsing/project/cell-id.ts'
import type { Period } from '../../../formats/values/period.ts'
import { aggregations } from '../../../engine/aggregations/aggregations.ts'
import type { Delivers } from '../../../engine/declarations/declaration.ts'
import type { AggregatingTerms, ChangedCell, TouchedPeriod } from './changed-cells.ts'
import {
  removedExaminedMax,
  selectEventChanges,
  selectRemovedCells,
  selectStatementChanges,
  type CellChangeRow,
  type StoredDeliveryRow,
} from './queries.ts'
import { readStoredDelivery, type ContentContext } from './stored-delivery.ts'

/** What a delivery changed of one sample. Values are exact decimals. */
interface ChangedSample {
  metric: string
  period: Period
  /** `YYYY-MM-DD`. */
  period_start: string
  labels: Record<string, string>
  /** The value after all earlier deliveries; null if there was none. */
  before: string | null
  /** What its own rows come to; null if it is a statement that removed the sample. */
  gave: string | null
  rows: number
  /** For a distinct count of events: how many values no earlier delivery had. */
  added: number | null
  /** The value with this delivery; null if it removed the sample. */
  after: string | null
  /** Whether a later statement replaced it. */
  superseded: boolean
}

interface ChangedSamples {
  samples: ChangedSample[]
  /** Over all pages. */
  count: number
  next_cursor: string | null
}

/**
 * The samples that a delivery changed, by the metrics that are read now, in the order of receipt [fold.artifact]: those that its
 * rows count for, then those that it removed as a statement [fold.statements].
 *
 * @throws 404; 400 with field `cursor` or `limit`
 */
export async function listChangedSamples(
  context: ContentContext,
  companyId: string,
  artifactId: string,
  request: PageRequest,
): Promise<ChangedSamples> {
  // The cursor is the number of samples before it: a delivery never changes.
  const { before: passed, limit } = numberRows(request)
  const offset = Number(passed ?? 0)
  return context.threads.inTurn(companyId, async () => {
    const { row, content } = await readStoredDelivery(context, companyId, artifactId)
    if (row.state !== 'parsed') return { samples: [], count: 0, next_cursor: null }
    const task = { ...content, terms: toTerms(row), page: { offset, limit } }
    const { cells, count, touched } = await context.threads.run('changedCells', task, [
      content.stored.content,
    ])
    const changed = await context.limit(companyId, () => readChanges(context, companyId, row, cells))
    const removed =
      row.delivers === 'events'
        ? { samples: [], count: 0 }
        : await context.limit(companyId, () =>
            readRemoved(context, companyId, row, touched, {
              // The cursor comes from the caller, so it is bounded.
              offset: Math.min(Math.max(0, offset - count), removedExaminedMax),
              limit: limit - cells.length,
            }),
          )
    const next = offset + limit
    const total = count + removed.count
    return {
      samples: [...changed, ...removed.samples],
      count: total,
      next_cursor: next < total ? Buffer.from(String(next)).toString('base64url') : null,
    }
  })
}

async function readRemoved(
  { pool }: ContentContext,
  companyId: string,
  row: StoredDeliveryRow,
  touched: readonly TouchedPeriod[],
  page: { offset: number; limit: number },
): Promise<{ samples: ChangedSample[]; count: number }> {
  const rows = await selectRemovedCells.rows(pool, {
    companyId,
    sourceId: row.source_id,
    projectionId: row.projection_id,
    sandbox: row.sandbox,
    receiveNumber: row.receive_number,
    metrics: touched.map((period) => period.metric),
    periodStarts: touched.map((period) => period.periodStart),
    ...page,
  })
  const samples = rows.flatMap(({ metric, period_start, labels, before }) => {
    if (metric === null) return []
    const { period } = row.metrics.find((each) => each.metric === metric)!
    const gone = { gave: null, rows: 0, added: null, after: null, superseded: false }
    return [{ metric, period, period_start, labels: JSON.parse(labels), before, ...gone }]
  })
  return { samples, count: rows[0]!.removed }
}

export function toTerms(row: StoredDeliveryRow): AggregatingTerms {
  return {
    fields: row.fields,
    eventTime: row.event_time,
    projectionEventTime: row.projection_event_time,
    metrics: row.metrics,
    timeZone: row.time_zone,
    distinctSalt: row.distinct_salt,
  }
}

async function readChanges(
  { pool }: ContentContext,
  companyId: string,
  row: StoredDeliveryRow,
  cells: readonly ChangedCell[],
): Promise<ChangedSample[]> {
  const { source_id: sourceId, projection_id: projectionId, sandbox, receive_number: receiveNumber } = row
  const cellIds = uuidArray(cells.map((cell) => cellId({ ...cell, sourceId, projectionId, sandbox })))
  const changes =
    row.delivers === 'events'
      ? await selectEventChanges.rows(pool, {
          companyId,
          receiveNumber,
          cellIds,
          aggregations: cells.map((cell) => cell.aggregation),
        })
      : await selectStatementChanges.rows(pool, {
          companyId,
          sourceId,
          projectionId,
          sandbox,
          receiveNumber,
          cellIds,
          metrics: cells.map((cell) => cell.metric),
          periodStarts: cells.map((cell) => cell.periodStart),
        })
  return changes.map((change) => toChangedSample(row.delivers, cells[Number(change.place) - 1]!, change))
}

function toChangedSample(delivers: Delivers, cell: ChangedCell, change: CellChangeRow): ChangedSample {
  const { metric, period, periodStart, labels, aggregation } = cell
  const { before, gave, rows, after, superseded } = change
  const addsValues = delivers === 'events' && aggregations[aggregation].keeps === 'distinct_values'
  const added = addsValues ? Number(after) - Number(before) : null
  const known = { metric, period, period_start: periodStart, labels: JSON.parse(labels) }
  return { ...known, before, gave, rows, added, after, superseded }
}
