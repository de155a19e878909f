import { hash } from 'node:crypto'
import type { Accumulator } from './accumulator.ts'
import { valueBytesMax } from '../../sources/field-value.ts'
import { longList } from '../tables/long-lists.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import { RowKeyTable } from '../tables/row-key-table.ts'
import type { ValueIds } from '../tables/value-ids.ts'

/** Bytes of a distinct value's hash. */
export const distinctHashBytes = 16

/** The different values of a field, each as a hash. */
export class DistinctAccumulator implements Accumulator {
  readonly #field: number
  readonly #ids: ValueIds | undefined
  /** What the hash of a value begins with. */
  readonly #prefix: Uint8Array
  /** Cells with the numbers of their values, while rows come. */
  readonly #pairs: RowKeyTable
  /** Then, cell by cell: where its values begin, and one more; and the values. */
  #starts = new Int32Array(0)
  #values = new Int32Array(0)
  /** Room for what is hashed: the prefix, and a value. */
  #input: Buffer | undefined

  /** `ids` of the field; it has some unless no row ever has the field. */
  constructor(field: number, ids: ValueIds | undefined, prefix: Uint8Array, seed: number) {
    this.#field = field
    this.#ids = ids
    this.#prefix = prefix
    this.#pairs = new RowKeyTable(2, seed)
  }

  grow(): void {}

  /** How many values there are so far, those of all cells. */
  get size(): number {
    return this.#pairs.size
  }

  /** Whether a cell has the value of the row in the slots. */
  has(cell: number, slots: RowSlots): boolean {
    this.#pairs.key[0] = cell
    this.#pairs.key[1] = slots.ids[this.#field]!
    return this.#pairs.has()
  }

  add(cell: number, slots: RowSlots): void {
    this.#pairs.key[0] = cell
    this.#pairs.key[1] = slots.ids[this.#field]!
    this.#pairs.id()
  }

  /** Brings the values of each cell together. */
  seal(): void {
    const pairs = this.#pairs
    let cells = 0
    for (let pair = 0; pair < pairs.size; pair++) cells = Math.max(cells, pairs.at(pair, 0) + 1)
    // How many values a cell has, then where they end, then where they begin as they take their places from the end on.
    const starts = longList.int32(cells + 1)
    for (let pair = 0; pair < pairs.size; pair++) starts[pairs.at(pair, 0)]!++
    for (let cell = 1; cell <= cells; cell++) starts[cell]! += starts[cell - 1]!
    const values = longList.int32(pairs.size)
    for (let pair = pairs.size - 1; pair >= 0; pair--)
      values[--starts[pairs.at(pair, 0)]!] = pairs.at(pair, 1)
    pairs.release()
    this.#starts = starts
    this.#values = values
  }

  cellValue(cell: number): { value: string } {
    return { value: String(this.#starts[cell + 1]! - this.#starts[cell]!) }
  }

  distinct(cell: number): Buffer {
    const start = this.#starts[cell]!
    const count = this.#starts[cell + 1]! - start
    const hashes = Buffer.allocUnsafe(count * distinctHashBytes)
    const prefixBytes = this.#prefix.length
    const input = (this.#input ??= this.#newInput())
    for (let k = 0; k < count; k++) {
      const bytes = this.#ids!.write(this.#values[start + k]!, input, prefixBytes)
      const hashed = hash('sha256', input.subarray(0, prefixBytes + bytes), 'latin1')
      hashes.write(hashed, k * distinctHashBytes, distinctHashBytes, 'latin1')
    }
    return hashes
  }

  #newInput(): Buffer {
    const input = Buffer.allocUnsafe(this.#prefix.length + valueBytesMax)
    input.set(this.#prefix)
    return input
  }
}
