import type { CellValue } from '../../aggregations/accumulator.ts'
import type { Aggregation } from '../../aggregations/aggregations.ts'

/**
 * What a delivery contributes to the cells of one metric, computed cell by cell on demand: a large delivery may have as
 * many cells as rows, and objects for all of them would take a hundred times the memory of its bytes.
 */
export interface AggregatedMetric {
  readonly metric: string
  readonly aggregation: Aggregation
  /** The periods with an accepted row, whether or not the metric counts it. */
  readonly periods: AggregatedPeriods
  /** The number of cells; they are numbered from 0. */
  readonly cells: number
  /** The number of a cell's period. */
  getPeriod(cell: number): number
  /** A cell's labels as a canonical JSON object: no white space, keys in code point order. */
  getLabels(cell: number): string
  /** Rows of the delivery behind a cell's value. */
  countRows(cell: number): number
  cellValue(cell: number): CellValue
  /** If the aggregation keeps distinct values: 16 bytes for each, in no particular order. */
  distinct(cell: number): Buffer | undefined
}

/** Periods, numbered from 0. */
interface AggregatedPeriods {
  readonly size: number
  /** The first day of the period with a number, counted from 1970-01-01. */
  start(number: number): number
}
