import {
  boolArray,
  dateArray,
  int4Array,
  int8Array,
  textArray,
  timestamptzArray,
  uuidArray,
  uuidArrayFrom,
} from '../../../platform/database/binary-array.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { cellRules } from '../../aggregations/aggregations.ts'
import { addToCell, createBatchCell, type BatchCell, type BatchRule } from './batch-cell.ts'
import { storeDistinctValues } from './store-distinct-values.ts'
import { inParts } from './in-parts.ts'
import { formatDay } from '../../../formats/values/period.ts'
import {
  addContributions,
  writeEventSamples,
  writeStatementSamples,
  type CellArrays,
  type ContributionArrays,
  type WrittenCell,
} from './queries.ts'
import type { Parsed } from './parse-result.ts'
import type { PipelinedStatements } from './pipelined-statements.ts'
import { clearAbandoned, settlePeriods } from './settle-periods.ts'
import { ContributionBatch } from './contribution-batch.ts'

/** What one delivery contributes to a cell. */
interface ContributionRow {
  entry: number
  result: Parsed
  value: string
  eventAt: string | undefined
  rows: number
}

/** A cell with all contributions of a batch. */
interface CellRow {
  cell: BatchCell
  metric: string
  periodStart: string
  labels: string
  /** At least one. */
  contributions: ContributionRow[]
}

/** New cells by company. Complete once all statements of the round have been answered. */
export type CellsAdded = ReadonlyMap<string, number>

/** Roughly the bytes of a cell and its contributions as parameters. */
function countBytes({ labels, contributions }: CellRow): number {
  return 200 + labels.length + 120 * contributions.length
}

/** The cells of one rule, each with its contributions, sorted by id. */
function* listCells(batch: ContributionBatch, rule: BatchRule): Generator<CellRow> {
  const sorted = batch.sorted(batch.parts.filter((contributions) => contributions.rule === rule))
  for (const [from, to] of batch.cells(sorted)) {
    const contributions: ContributionRow[] = []
    let cell: BatchCell | undefined
    for (let k = from; k < to; k++) {
      const entry = sorted[k]!
      const { result, aggregated, first, added } = batch.getContributions(entry)
      const { artifactId, receiveNumber } = result
      const { value, eventAt } = aggregated.cellValue(entry - first)
      contributions.push({ entry, result, value, eventAt, rows: aggregated.countRows(entry - first) })
      const adds = added === undefined ? value : String(added[entry - first])
      const said = { value: adds, eventAt, artifactId, receiveNumber }
      if (cell === undefined) cell = createBatchCell(said)
      else addToCell(cell, rule, said)
    }
    const { aggregated, first, owners } = batch.getContributions(sorted[from]!)
    const place = sorted[from]! - first
    const period = aggregated.getPeriod(place)
    // A contribution to a period that its delivery does not own is stored, but is not the sample.
    if (owners !== undefined && owners[period] !== cell!.receiveNumber) {
      cell = { ...cell!, value: null, eventAt: null, valueReceiveNumber: null }
    }
    const periodStart = formatDay(aggregated.periods.start(period))
    yield {
      cell: cell!,
      metric: aggregated.metric,
      periodStart,
      labels: aggregated.getLabels(place),
      contributions,
    }
  }
}

function cellArrays(rows: CellRow[], ids: Buffer): CellArrays {
  const firsts = rows.map(({ contributions }) => contributions[0]!)
  return {
    companyIds: uuidArray(firsts.map(({ result }) => result.companyId)),
    cellIds: uuidArrayFrom(
      ids,
      firsts.map(({ entry }) => entry),
    ),
    sourceIds: uuidArray(firsts.map(({ result }) => result.sourceId)),
    projectionIds: int4Array(firsts.map(({ result }) => result.projectionId)),
    sandbox: boolArray(firsts.map(({ result }) => result.sandbox)),
    periodStarts: dateArray(rows.map(({ periodStart }) => periodStart)),
    metrics: textArray(rows.map(({ metric }) => metric)),
    labels: textArray(rows.map(({ labels }) => labels)),
    values: textArray(rows.map(({ cell }) => cell.value)),
    eventAts: textArray(rows.map(({ cell }) => cell.eventAt)),
    valueReceiveNumbers: int8Array(rows.map(({ cell }) => cell.valueReceiveNumber)),
    artifactIds: uuidArray(rows.map(({ cell }) => cell.artifactId)),
    receiveNumbers: int8Array(rows.map(({ cell }) => cell.receiveNumber)),
  }
}

function contributionArrays(rows: ContributionRow[], ids: Buffer): ContributionArrays {
  return {
    companyIds: uuidArray(rows.map(({ result }) => result.companyId)),
    cellIds: uuidArrayFrom(
      ids,
      rows.map(({ entry }) => entry),
    ),
    receiveNumbers: int8Array(rows.map(({ result }) => result.receiveNumber)),
    artifactIds: uuidArray(rows.map(({ result }) => result.artifactId)),
    receivedAts: timestamptzArray(rows.map(({ result }) => result.receivedAt)),
    values: textArray(rows.map(({ value }) => value)),
    eventAts: textArray(rows.map(({ eventAt }) => eventAt ?? null)),
    rowCounts: int4Array(rows.map(({ rows }) => rows)),
  }
}

/**
 * Writes the contributions of deliveries and updates the samples of their cells, inside the caller's transaction. Results
 * of any sources and projections may be mixed, each (projection, delivery) only once ever; any number of transactions
 * may do this concurrently, in any order, with the same samples as a result [fold.events], [fold.statements],
 * [fold.artifact], [fold.sandbox].
 *
 * Statements that nothing depends on are only sent; the caller waits for them before it commits.
 *
 * All contributions of a batch to a cell are combined first, so a cell is written once however many deliveries there are. A
 * large batch is built and written part by part. All workers lock in the same order: owners of periods, distinct
 * values, samples rule by rule, each sorted.
 */
export async function projectParseResults(
  client: Queryable,
  results: Parsed[],
  sent: PipelinedStatements,
): Promise<CellsAdded> {
  const added = new Map<string, number>()
  const count = (rows: WrittenCell[]): void => {
    for (const { company_id: company } of rows)
      if (company !== null) added.set(company, (added.get(company) ?? 0) + 1)
  }
  const batch = new ContributionBatch(results)
  const settled = await settlePeriods(client, batch.parts, sent)
  await storeDistinctValues(client, batch)
  for (const rule of [...cellRules, 'replace'] as const) {
    const statement = rule === 'replace' ? writeStatementSamples : writeEventSamples.get(rule)!
    for (const part of inParts(listCells(batch, rule), countBytes)) {
      const contributions = part.flatMap((row) => row.contributions)
      await sent.send(addContributions, contributionArrays(contributions, batch.ids))
      await sent.send(statement, cellArrays(part, batch.ids), count)
    }
  }
  await clearAbandoned(settled, sent)
  return added
}
