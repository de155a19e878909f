import type { RowSlots } from '../tables/row-slots.ts'

/** Cells that there is room for from the start. */
export const cellsFromStart = 4

/** What a cell of a metric adds up to. Cells are numbered from 0 without gaps. */
export interface Accumulator {
  /** Makes room for cells below `cells`. */
  grow(cells: number): void
  /** Adds the row in the slots to a cell; the counted field is there. `isFirst`: no row has been added before. */
  add(cell: number, slots: RowSlots, isFirst: boolean): void
  /** What the rows of a cell, `rows` of them, come to, as it is shown. */
  cellValue(cell: number, rows: number): CellValue
  /** Says that all rows are there. */
  seal?(): void
  /** With `count_distinct`: the hashes of a cell's values, one after another. */
  distinct?(cell: number): Buffer
}

export interface CellValue {
  /** An exact decimal as it is shown. With `count_distinct` how many values there are. */
  value: string
  /** With `last`: the event time of the value, exact seconds since the epoch as a decimal. */
  eventAt?: string
}
