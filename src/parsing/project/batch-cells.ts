import type { Aggregation } from '../../sources/declaration.ts'
import { addDecimals, compareDecimals, formatDecimal, type Decimal } from '../../values/decimal.ts'

/**
 * How a cell takes in contributions: by one of the statements of `writeEventSamples`; `replace` for statements sources.
 */
export type CellKind = 'add' | 'min' | 'max' | 'last' | 'replace'

/** How the cells of an events source aggregate [fold.events]. */
export const eventKinds: Record<Aggregation, CellKind> = {
  sum: 'add',
  count: 'add',
  count_distinct: 'add',
  min: 'min',
  max: 'max',
  last: 'last',
}

/** A decimal that was written by `formatDecimal`, of any length. */
function decimalOf(shown: string): Decimal {
  const point = shown.indexOf('.')
  if (point < 0) return { digits: BigInt(shown), scale: 0 }
  return { digits: BigInt(shown.slice(0, point) + shown.slice(point + 1)), scale: shown.length - point - 1 }
}

/** What the deliveries of a batch add up to in one cell. */
export interface BatchCell {
  readonly kind: CellKind
  /** Null: the delivery that owns the period does not mention the cell. */
  value: string | null
  eventAt: string | null
  /** With `last`: where the value is from. */
  valueReceiveNumber: number | null
  /** The delivery with the highest receive number that said something about the cell. */
  artifactId: string
  receiveNumber: number
}

export interface CellValue {
  value: string
  eventAt?: string | undefined
  artifactId: string
  receiveNumber: number
}

/** A cell that one delivery has said something about. */
export function newCell(kind: CellKind, said: CellValue): BatchCell {
  return {
    kind,
    value: said.value,
    eventAt: said.eventAt ?? null,
    valueReceiveNumber: said.eventAt === undefined ? null : said.receiveNumber,
    artifactId: said.artifactId,
    receiveNumber: said.receiveNumber,
  }
}

/** Whether the value of `said` is later than the one kept: by event time, then by receive number. */
function isLater(cell: BatchCell, said: CellValue): boolean {
  const order = compareDecimals(decimalOf(said.eventAt!), decimalOf(cell.eventAt!))
  return order > 0 || (order === 0 && said.receiveNumber > cell.valueReceiveNumber!)
}

function replaceValue(cell: BatchCell, said: CellValue): void {
  cell.value = said.value
  cell.eventAt = said.eventAt ?? null
  cell.valueReceiveNumber = said.eventAt === undefined ? null : said.receiveNumber
}

/** Adds another contribution to a cell, in place. The order of calls makes no difference. */
export function takeIn(cell: BatchCell, said: CellValue): void {
  const isLatestDelivery = said.receiveNumber > cell.receiveNumber
  switch (cell.kind) {
    case 'add':
      cell.value = formatDecimal(addDecimals(decimalOf(cell.value!), decimalOf(said.value)))
      break
    case 'min':
      if (compareDecimals(decimalOf(said.value), decimalOf(cell.value!)) < 0) cell.value = said.value
      break
    case 'max':
      if (compareDecimals(decimalOf(said.value), decimalOf(cell.value!)) > 0) cell.value = said.value
      break
    case 'last':
      if (isLater(cell, said)) replaceValue(cell, said)
      break
    case 'replace':
      if (isLatestDelivery) replaceValue(cell, said)
      break
  }
  if (isLatestDelivery) {
    cell.artifactId = said.artifactId
    cell.receiveNumber = said.receiveNumber
  }
}
