import type { RowSlots } from './row-slots.ts'

/** What a cell of a metric adds up to. Cells are numbered from 0 without gaps. */
export interface Accumulator {
  /** Makes room for cells below `cells`. */
  grow(cells: number): void
  /** Adds the row in the slots to a cell; the counted field is there. `isFirst`: no row has been added before. */
  add(cell: number, slots: RowSlots, isFirst: boolean): void
  /** What the rows of a cell come to, as it is shown. */
  result(cell: number): { value: string; eventAt?: string; distinct?: Buffer }
}

/** A longer list with the same beginning. */
export function widened(list: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(length)
  wider.set(list)
  return wider
}
