import { hash } from 'node:crypto'
import type { Accumulator } from './accumulator.ts'
import { valueBytesMax } from './field-value.ts'
import type { RowSlots } from './row-slots.ts'
import { TupleTable } from './tuple-table.ts'
import type { ValueIds } from './value-ids.ts'

/** Bytes of a distinct value's hash. */
export const distinctHashBytes = 16

/** The different values of a field, each as a hash. */
export class DistinctAccumulator implements Accumulator {
  readonly #field: number
  readonly #ids: ValueIds | undefined
  /** What the hash of a value begins with. */
  readonly #prefix: Uint8Array
  /** Cells with the numbers of their values. */
  readonly #pairs: TupleTable
  #grouped: { starts: Int32Array; ids: Int32Array; hashes: Buffer } | undefined

  /** `ids` of the field; it has some unless no row ever has the field. */
  constructor(field: number, ids: ValueIds | undefined, prefix: Uint8Array, seed: number) {
    this.#field = field
    this.#ids = ids
    this.#prefix = prefix
    this.#pairs = new TupleTable(2, seed)
  }

  grow(): void {}

  add(cell: number, slots: RowSlots): void {
    this.#pairs.tuple[0] = cell
    this.#pairs.tuple[1] = slots.ids[this.#field]!
    this.#pairs.id()
  }

  said(cell: number): { value: string } {
    const { starts } = this.#byCell()
    return { value: String(starts[cell + 1]! - starts[cell]!) }
  }

  distinct(cell: number): Buffer {
    const { starts, ids, hashes } = this.#byCell()
    const start = starts[cell]!
    const end = starts[cell + 1]!
    const distinct = Buffer.allocUnsafe((end - start) * distinctHashBytes)
    for (let k = start; k < end; k++) {
      const from = ids[k]! * distinctHashBytes
      hashes.copy(distinct, (k - start) * distinctHashBytes, from, from + distinctHashBytes)
    }
    return distinct
  }

  /** Brings the values of each cell together and makes the hash of each, once all rows are there. */
  #byCell(): { starts: Int32Array; ids: Int32Array; hashes: Buffer } {
    if (this.#grouped !== undefined) return this.#grouped
    const pairs = this.#pairs
    let cells = 0
    let values = 0
    for (let pair = 0; pair < pairs.size; pair++) {
      cells = Math.max(cells, pairs.at(pair, 0) + 1)
      values = Math.max(values, pairs.at(pair, 1) + 1)
    }
    // Counting sort: how many values a cell has, where each cell's end, then each value in its cell from the end on.
    const starts = new Int32Array(cells + 1)
    for (let pair = 0; pair < pairs.size; pair++) starts[pairs.at(pair, 0)]!++
    for (let cell = 1; cell <= cells; cell++) starts[cell]! += starts[cell - 1]!
    const ids = new Int32Array(pairs.size)
    const hashes = Buffer.alloc(values * distinctHashBytes)
    const isHashed = new Uint8Array(values)
    const prefixBytes = this.#prefix.length
    const input = Buffer.allocUnsafe(prefixBytes + valueBytesMax)
    input.set(this.#prefix)
    for (let pair = pairs.size - 1; pair >= 0; pair--) {
      const id = pairs.at(pair, 1)
      ids[--starts[pairs.at(pair, 0)]!] = id
      if (isHashed[id] === 1) continue
      isHashed[id] = 1
      const bytes = this.#ids!.copy(id, input, prefixBytes)
      const said = hash('sha256', input.subarray(0, prefixBytes + bytes), 'latin1')
      hashes.write(said, id * distinctHashBytes, distinctHashBytes, 'latin1')
    }
    return (this.#grouped = { starts, ids, hashes })
  }
}
