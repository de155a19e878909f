import type { FieldType } from '../fields/field-value.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import type { ValueIds } from '../tables/value-ids.ts'

/** The initial capacity, in cells. */
export const cellsFromStart = 4

/** What a metric counts, by the fields' places in the row. */
export interface CountedField {
  field: number
  /** Of the field; undefined if no row can have it. */
  type: FieldType | undefined
  /** The second factor, if products are counted. */
  times: number | undefined
  /** The event time. */
  eventField: number
  /** The ids of the field's values, if the aggregation distinguishes them and rows can have the field. */
  ids: ValueIds | undefined
  /** Part of the hash of every distinct value, so that a hash does not reveal its value. */
  salt: Uint8Array
  /** Seeds hash tables. */
  seed: number
}

/** Computes the values of a metric's cells. Cells are numbered from 0 without gaps. */
export interface Accumulator {
  /** Allocates space for cells below `cells`. */
  grow(cells: number): void
  /** Adds the row in the slots, which has the counted field, to a cell. `isFirst`: it is the cell's first row. */
  add(cell: number, slots: RowSlots, isFirst: boolean): void
  /** The value of a cell that has `rows` rows. */
  cellValue(cell: number, rows: number): CellValue
  /** Called after the last row. */
  seal?(): void
  /** If the aggregation keeps distinct values. */
  readonly distinct?: DistinctValues
}

export interface CellValue {
  /** An exact decimal as shown. Of distinct values, their number. */
  value: string
  /** If the aggregation keeps it: the event time of the value, in exact seconds since the epoch as a decimal. */
  eventAt?: string
}

/** The distinct values of a metric's cells. */
export interface DistinctValues {
  /** The number of values so far, in all cells together. */
  readonly size: number
  /** Whether a cell has the value of the row in the slots. */
  has(cell: number, slots: RowSlots): boolean
  /** After the last row: the hashes of a cell's values, concatenated in no particular order. */
  hashes(cell: number): Buffer
}
