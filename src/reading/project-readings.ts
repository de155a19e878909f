import {
  boolArray,
  byteaArray,
  dateArray,
  int4Array,
  int8Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../database/binary-array.ts'
import type { Queryable } from '../database/pool.ts'
import { eventKinds, takeIn, type BatchCell, type CellKind } from './batch-cells.ts'
import { cellId } from './cell-id.ts'
import { distinctHashBytes } from './distinct-accumulator.ts'
import { inParts } from './in-parts.ts'
import {
  addContributions,
  addDistinctValues,
  writeEventSamples,
  writeStatementSamples,
  type CellArrays,
} from './queries.ts'
import type { ParsedReading } from './reading.ts'
import type { SentStatements } from './sent-statements.ts'
import { clearAbandoned, settlePeriods } from './settle-periods.ts'

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

interface ContributionRow {
  companyId: string
  cellId: string
  reading: ParsedReading
  value: string
  eventAt: string | null
  rows: number
}

interface DistinctRow {
  companyId: string
  cellId: string
  hash: Buffer
  receiveNumber: number
  receivedAtMs: number
}

const cellArrays = (cells: BatchCell[]): CellArrays => [
  uuidArray(cells.map((cell) => cell.companyId)),
  uuidArray(cells.map((cell) => cell.cellId)),
  uuidArray(cells.map((cell) => cell.sourceId)),
  int4Array(cells.map((cell) => cell.foldId)),
  boolArray(cells.map((cell) => cell.sandbox)),
  dateArray(cells.map((cell) => cell.periodStart)),
  textArray(cells.map((cell) => cell.metric)),
  textArray(cells.map((cell) => cell.labels)),
  textArray(cells.map((cell) => cell.value)),
  textArray(cells.map((cell) => cell.eventAt)),
  int8Array(cells.map((cell) => cell.valueReceiveNumber)),
  uuidArray(cells.map((cell) => cell.artifactId)),
  int8Array(cells.map((cell) => cell.receiveNumber)),
]

/** Adds distinct values; sets the value of each of their cells to the number that were new. */
const countDistinct = async (
  client: Queryable,
  found: Map<string, DistinctRow>,
  cells: Map<string, BatchCell>,
): Promise<void> => {
  const rows = [...found].toSorted(([a], [b]) => compareText(a, b)).map(([, row]) => row)
  const addedByCell = new Map<string, number>()
  for (const part of inParts(rows)) {
    const added = await addDistinctValues.rows(client, [
      uuidArray(part.map((row) => row.companyId)),
      uuidArray(part.map((row) => row.cellId)),
      byteaArray(part.map((row) => row.hash)),
      int8Array(part.map((row) => row.receiveNumber)),
      timestamptzArray(part.map((row) => row.receivedAtMs)),
    ])
    for (const row of added) addedByCell.set(row.cell_id, (addedByCell.get(row.cell_id) ?? 0) + row.added)
  }
  const counted = new Set(rows.map((row) => row.cellId))
  for (const cell of cells.values()) {
    if (counted.has(cell.cellId)) cell.value = String(addedByCell.get(cell.cellId) ?? 0)
  }
}

const kindsInOrder: CellKind[] = ['add', 'min', 'max', 'last', 'replace']

/**
 * Writes what deliveries said and brings the samples of their cells up to date, inside the caller's transaction.
 * Readings of any sources and folds may come together, each (fold, delivery) once ever; any number of
 * transactions may do this at once, in any order, and the samples come out the same (`fold.events`,
 * `fold.statements`, `fold.artifact`, `fold.sandbox`).
 *
 * Statements that nothing depends on are only sent; the caller waits for them before it commits.
 *
 * All of a batch is combined in memory first, so a cell is written once whatever the number of deliveries. Locks are
 * taken in one order by everybody: owners of periods, distinct values, samples kind by kind, each sorted.
 */
export const projectReadings = async (
  client: Queryable,
  readings: ParsedReading[],
  sent: SentStatements,
): Promise<void> => {
  const settled = await settlePeriods(client, readings, sent)

  const cells = new Map<string, BatchCell>()
  const contributions: ContributionRow[] = []
  const distinct = new Map<string, DistinctRow>()

  for (const reading of readings) {
    const { companyId, sourceId, foldId, sandbox, artifactId, receiveNumber } = reading
    for (const contribution of reading.result.contributions) {
      const { metric, periodStart, labels, value, eventAt } = contribution
      const key = `${sourceId} ${foldId} ${sandbox} ${metric} ${periodStart} ${labels}`
      const said = { value, eventAt, artifactId, receiveNumber }
      let cell = cells.get(key)
      if (cell) takeIn(cell, said)
      else {
        cell = {
          companyId,
          sourceId,
          foldId,
          sandbox,
          metric,
          periodStart,
          labels,
          cellId: cellId({ sourceId, foldId, metric, periodStart, labels, sandbox }),
          kind: reading.delivers === 'statements' ? 'replace' : eventKinds[reading.aggregations.get(metric)!],
          value,
          eventAt: eventAt ?? null,
          valueReceiveNumber: eventAt === undefined ? null : receiveNumber,
          artifactId,
          receiveNumber,
        }
        cells.set(key, cell)
      }
      contributions.push({
        companyId,
        cellId: cell.cellId,
        reading,
        value,
        eventAt: eventAt ?? null,
        rows: contribution.rows,
      })
      if (contribution.distinct && reading.delivers === 'events') {
        const receivedAtMs = reading.receivedAt.getTime()
        for (let at = 0; at < contribution.distinct.length; at += distinctHashBytes) {
          const hash = contribution.distinct.subarray(at, at + distinctHashBytes)
          const member = `${cell.cellId} ${hash.toString('hex')}`
          const known = distinct.get(member)
          if (!known) {
            distinct.set(member, { companyId, cellId: cell.cellId, hash, receiveNumber, receivedAtMs })
          } else {
            known.receiveNumber = Math.min(known.receiveNumber, receiveNumber)
            known.receivedAtMs = Math.min(known.receivedAtMs, receivedAtMs)
          }
        }
      }
    }
  }

  for (const part of inParts(contributions)) {
    sent.add(
      addContributions.run(client, [
        uuidArray(part.map((row) => row.companyId)),
        uuidArray(part.map((row) => row.cellId)),
        int8Array(part.map((row) => row.reading.receiveNumber)),
        uuidArray(part.map((row) => row.reading.artifactId)),
        timestamptzArray(part.map((row) => row.reading.receivedAt)),
        textArray(part.map((row) => row.value)),
        textArray(part.map((row) => row.eventAt)),
        int4Array(part.map((row) => row.rows)),
      ]),
    )
  }

  if (distinct.size > 0) await countDistinct(client, distinct, cells)

  const sorted = [...cells.values()].toSorted((a, b) => compareText(a.cellId, b.cellId))
  for (const cell of sorted) {
    if (cell.kind === 'replace' && !settled.isOwner(cell)) {
      cell.value = null
      cell.eventAt = null
      cell.valueReceiveNumber = null
    }
  }
  for (const kind of kindsInOrder) {
    const statement = kind === 'replace' ? writeStatementSamples : writeEventSamples[kind]
    for (const part of inParts(sorted.filter((cell) => cell.kind === kind))) {
      sent.add(statement.run(client, cellArrays(part)))
    }
  }

  clearAbandoned(client, settled, sent)
}
