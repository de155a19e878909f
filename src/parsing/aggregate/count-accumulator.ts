import type { Accumulator } from './accumulator.ts'

/** Counts rows, which is done for every cell anyway. */
export class CountAccumulator implements Accumulator {
  grow(): void {}

  add(): void {}

  cellValue(_cell: number, rows: number): { value: string } {
    return { value: String(rows) }
  }
}
