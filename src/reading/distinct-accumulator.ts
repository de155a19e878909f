import type { Accumulator } from './accumulator.ts'
import { PairTable } from './pair-table.ts'
import type { RowSlots } from './row-slots.ts'

/** Bytes of a distinct value's hash. */
export const distinctHashBytes = 16

/** The different values of a field, each as a hash. */
export class DistinctAccumulator implements Accumulator {
  readonly #field: number
  readonly #hashOf: (id: number) => Uint8Array
  /** Cells with the numbers of their values. */
  readonly #pairs = new PairTable()
  readonly #hashes: Uint8Array[] = []
  #byCell: number[][] | undefined

  /** `hashOf` gives the hash of the value with a number. */
  constructor(field: number, hashOf: (id: number) => Uint8Array) {
    this.#field = field
    this.#hashOf = hashOf
  }

  grow(): void {}

  add(cell: number, slots: RowSlots): void {
    this.#pairs.idOf(cell, slots.ids[this.#field]!)
  }

  result(cell: number): { value: string; distinct: Buffer } {
    this.#byCell ??= this.#group()
    const ids = this.#byCell[cell]!
    const distinct = Buffer.allocUnsafe(ids.length * distinctHashBytes)
    for (const [place, id] of ids.entries()) {
      distinct.set((this.#hashes[id] ??= this.#hashOf(id)), place * distinctHashBytes)
    }
    return { value: String(ids.length), distinct }
  }

  #group(): number[][] {
    const byCell: number[][] = []
    const { firsts, seconds, size } = this.#pairs
    for (let pair = 0; pair < size; pair++) (byCell[firsts[pair]!] ??= []).push(seconds[pair]!)
    return byCell
  }
}
