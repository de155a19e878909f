import { uuidArray } from '../database/binary-array.ts'
import { numberRows, type Page, type PageRequest } from '../http/pagination.ts'
import { cellId } from '../parsing/project/cell-id.ts'
import type { Period } from '../values/period.ts'
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
export interface ChangedSample {
  metric: string
  period: Period
  /** `YYYY-MM-DD`. */
  periodStart: string
  labels: Record<string, string>
  /** As it read from the deliveries before it; null where there was none. */
  before: string | null
  /** What its rows come to by themselves; null where it says nothing of it: a statement took it away. */
  gave: string | null
  rows: number
  /** Of a distinct count of events: how many values no delivery before it had. */
  added: number | null
  /** Null where it took it away. */
  after: string | null
  /** A later statement took its place. */
  superseded: boolean
}

export interface ChangedSamples extends Page<ChangedSample> {
  /** Of all pages. */
  count: number
}

/**
 * The samples that a delivery changed, by the metrics that are read now, in the order of receipt [fold.artifact]: those that
 * it says something of, and behind them those that it took away as a statement [fold.statements].
 *
 * @throws 404 where the company has no such delivery; 400 with field `cursor` or `limit`
 */
export async function listChangedSamples(
  context: ContentContext,
  companyId: string,
  artifactId: string,
  request: PageRequest,
): Promise<ChangedSamples> {
  // The cursor is how many samples came before: a delivery never changes.
  const { before: passed, limit } = numberRows(request)
  const offset = Number(passed ?? 0)
  return context.threads.inTurn(companyId, async () => {
    const { row, content } = await readStoredDelivery(context, companyId, artifactId)
    if (row.state !== 'parsed') return { items: [], count: 0, nextCursor: null }
    const { cells, count, touched } = await context.threads.cells({
      ...content,
      terms: termsOf(row),
      page: { offset, limit },
    })
    const changes = await context.limit(companyId, () => readChanges(context, companyId, row, cells))
    const removed =
      row.delivers === 'events'
        ? { items: [], count: 0 }
        : await context.limit(companyId, () =>
            readRemoved(context, companyId, row, touched, {
              // No further than there can be any: the cursor is the caller’s.
              offset: Math.min(Math.max(0, offset - count), removedExaminedMax),
              limit: limit - cells.length,
            }),
          )
    const next = offset + limit
    return {
      items: [
        ...changes.map((change) => toChangedSample(cells[Number(change.place) - 1]!, change)),
        ...removed.items,
      ],
      count: count + removed.count,
      nextCursor: next < count + removed.count ? Buffer.from(String(next)).toString('base64url') : null,
    }
  })
}

async function readRemoved(
  { pool }: ContentContext,
  companyId: string,
  row: StoredDeliveryRow,
  touched: readonly TouchedPeriod[],
  page: { offset: number; limit: number },
): Promise<{ items: ChangedSample[]; count: number }> {
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
  const items = rows.flatMap(({ metric, period_start: periodStart, labels, before }) => {
    if (metric === null) return []
    const { period } = row.metrics.find((each) => each.metric === metric)!
    const gone = { gave: null, rows: 0, added: null, after: null, superseded: false }
    return [
      { metric, period, periodStart, labels: JSON.parse(labels) as Record<string, string>, before, ...gone },
    ]
  })
  return { items, count: rows[0]!.removed }
}

function termsOf(row: StoredDeliveryRow): AggregatingTerms {
  return {
    fields: row.fields,
    eventTime: row.event_time,
    projectionEventTime: row.projection_event_time,
    metrics: row.metrics,
    timeZone: row.time_zone,
    distinctSalt: row.distinct_salt,
  }
}

function readChanges(
  { pool }: ContentContext,
  companyId: string,
  row: StoredDeliveryRow,
  cells: readonly ChangedCell[],
): Promise<CellChangeRow[]> {
  const { source_id: sourceId, projection_id: projectionId, sandbox, receive_number: receiveNumber } = row
  const cellIds = uuidArray(cells.map((cell) => cellId({ ...cell, sourceId, projectionId, sandbox })))
  if (row.delivers === 'events') {
    const aggregations = cells.map((cell) => cell.aggregation)
    return selectEventChanges.rows(pool, { companyId, receiveNumber, cellIds, aggregations })
  }
  return selectStatementChanges.rows(pool, {
    companyId,
    sourceId,
    projectionId,
    sandbox,
    receiveNumber,
    cellIds,
    metrics: cells.map((cell) => cell.metric),
    periodStarts: cells.map((cell) => cell.periodStart),
  })
}

function toChangedSample(cell: ChangedCell, change: CellChangeRow): ChangedSample {
  return {
    metric: cell.metric,
    period: cell.period,
    periodStart: cell.periodStart,
    labels: JSON.parse(cell.labels) as Record<string, string>,
    before: change.before,
    gave: change.gave,
    rows: change.rows,
    added: change.added,
    after: change.after,
    superseded: change.superseded,
  }
}
