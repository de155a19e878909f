import { uuidArray } from '../database/binary-array.ts'
import { numberRows, type Page, type PageRequest } from '../http/pagination.ts'
import { cellId } from '../parsing/project/cell-id.ts'
import type { Period } from '../values/period.ts'
import type { AggregatingTerms, ChangedCell } from './changed-cells.ts'
import {
  selectEventChanges,
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
  /** What its rows come to by themselves. */
  gave: string
  rows: number
  /** Of a distinct count of events: how many values no delivery before it had. */
  added: number | null
  after: string
  /** A later statement took its place. */
  superseded: boolean
}

export interface ChangedSamples extends Page<ChangedSample> {
  /** Of all pages. */
  count: number
}

/**
 * The samples that a delivery changed, by the metrics that are read now, in the order of receipt [fold.artifact].
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
    const { cells, count } = await context.threads.cells({
      ...content,
      terms: termsOf(row),
      page: { offset, limit },
    })
    const changes = await context.limit(companyId, () => readChanges(context, companyId, row, cells))
    const next = offset + limit
    return {
      items: changes.map((change) => toChangedSample(cells[Number(change.place) - 1]!, change)),
      count,
      nextCursor: next < count ? Buffer.from(String(next)).toString('base64url') : null,
    }
  })
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
