import { int8Array } from '../../platform/database/binary-array.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { numberRows, toPage, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { byCodePoint } from '../../formats/values/by-code-point.ts'
import { aggregations } from '../aggregations/aggregations.ts'
import { cellId } from '../parsing/project/cell-id.ts'
import { requireKnownLabels } from './samples-query.ts'
import { countFirstValues, readCell, readContributions, readProjection } from './queries.ts'

/** A cell: its metric, the first day of its period (`YYYY-MM-DD`) and its labels. */
export interface TraceRequest extends PageRequest {
  companyId: string
  sourceId: string
  projectionId: number
  sandbox: boolean
  metric: string
  periodStart: string
  labels: ReadonlyMap<string, string>
}

/** What one delivery contributed to the cell. */
interface TracedDelivery {
  artifactId: string
  receivedAt: Date
  /** The aggregate of its own rows: their sum, their number, how many distinct values they have, … */
  value: string
  rows: number
  /** With `count_distinct` of events: how many values no earlier delivery had. These add up to the sample's value. */
  added: number | null
  /** With `last`: the event time of the value, in exact seconds since 1970. */
  eventAt: string | null
  /** A later statement took its place. */
  superseded: boolean
  /** Statements: its value minus that of the delivery before it in the trace; null for the first. */
  step: string | null
  /** Sums and counts of events: the sample's value after it. */
  running: string | null
}

export interface Trace {
  /** Null: there is no sample, since the statement that owns the period does not mention the cell. */
  value: string | null
  labels: Record<string, string>
  /** The period was stated more than once. Never with events. */
  restated: boolean
  /** Statements: the delivery that all samples of the period come from. */
  ownerArtifactId: string | null
  /** The latest first. */
  deliveries: Page<TracedDelivery>
}

/** As the projection writes labels: keys in code point order, no white space. */
function canonicalLabels(labels: ReadonlyMap<string, string>): string {
  return `{${[...labels]
    .toSorted(([a], [b]) => byCodePoint(a, b))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',')}}`
}

/**
 * The deliveries behind one sample, with what each contributed and which were superseded [fold.artifact].
 *
 * @throws 400 with a label that no metric has, one that the metric is grouped by and that is not named, `cursor` or `limit`; 404 if no
 *   delivery has contributed to the cell
 */
export async function traceSample(on: Queryable, request: TraceRequest): Promise<Trace> {
  const { companyId, sourceId, projectionId, sandbox, metric, periodStart, labels } = request
  const { before, limit } = numberRows(request)
  const projection = await readProjection.first(on, { companyId, sourceId, projectionId })
  if (projection) requireKnownLabels(labels, projection.metrics)
  const declared = projection?.metrics.find((each) => each.metric === metric)
  if (!projection || !declared) throw notFound()
  for (const name of declared.group_by) {
    if (!labels.has(name))
      throw invalidArgument(`${metric} is grouped by ${name}: name its value.`, `label.${name}`)
  }

  const id = cellId({ sourceId, projectionId, metric, periodStart, labels: canonicalLabels(labels), sandbox })
  const cell = await readCell.first(on, { companyId, cellId: id })
  if (!cell) throw notFound()
  const { keeps, combines } = aggregations[declared.aggregation]
  const hasSteps = projection.delivers === 'statements'
  const hasRunning = !hasSteps && combines === 'sum'
  const rows = await readContributions.rows(on, {
    companyId,
    cellId: id,
    before,
    limit: limit + 1,
    hasSteps,
    hasRunning,
  })
  const page = toPage(rows, limit, (row) => row.receive_number)

  const countsFirst = !hasSteps && keeps === 'distinct_values'
  const numbers = page.items.map((row) => row.receive_number)
  const counted = countsFirst
    ? await countFirstValues.rows(on, { companyId, cellId: id, receiveNumbers: int8Array(numbers) })
    : []
  const added = new Map(counted.map((row) => [row.receive_number, row.added]))

  return {
    value: cell.value,
    labels: Object.fromEntries([...labels].toSorted(([a], [b]) => byCodePoint(a, b))),
    restated: (cell.deliveries ?? 1) > 1,
    ownerArtifactId: cell.owner_artifact_id,
    deliveries: {
      ...page,
      items: page.items.map((row) => ({
        artifactId: row.artifact_id,
        receivedAt: row.received_at,
        value: row.value,
        rows: row.rows,
        added: countsFirst ? (added.get(row.receive_number) ?? 0) : null,
        eventAt: row.event_at,
        superseded: cell.owner_artifact_id !== null && row.artifact_id !== cell.owner_artifact_id,
        step: row.step,
        running: row.running,
      })),
    },
  }
}
