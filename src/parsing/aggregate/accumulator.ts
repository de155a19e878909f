import type { RowSlots } from '../tables/row-slots.ts'

/** The number of cells that there is room for initially. */
export const cellsFromStart = 4

/** Computes the values of a metric's cells. Cells are numbered from 0 without gaps. */
export interface Accumulator {
  /** Makes room for cells below `cells`. */
  grow(cells: number): void
  /** Adds the row in the slots, which has the counted field, to a cell. `isFirst`: it is the cell's first row. */
  add(cell: number, slots: RowSlots, isFirst: boolean): void
  /** The value of a cell that has `rows` rows, as shown. */
  cellValue(cell: number, rows: number): CellValue
  /** Called after the last row. */
  seal?(): void
  /** With `count_distinct`: the hashes of a cell's values, concatenated. */
  distinct?(cell: number): Buffer
}

export interface CellValue {
  /** An exact decimal as shown. With `count_distinct` the number of values. */
  value: string
  /** With `last`: the value's event time, in exact seconds since the epoch as a decimal. */
  eventAt?: string
}
