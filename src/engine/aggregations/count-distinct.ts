import { hash } from 'node:crypto'
import { valueBytesMax } from '../fields/field-value.ts'
import { longList } from '../tables/long-lists.ts'
import { RowKeyTable } from '../tables/row-key-table.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import type { ValueIds } from '../tables/value-ids.ts'
import type { Accumulator, CountedField, DistinctValues } from './accumulator.ts'
import type { AggregationDefinition } from './aggregation-definition.ts'
import { sum } from './sum.ts'

/** Bytes of a distinct value's hash. */
export const distinctHashBytes = 16

/** The number of distinct values of a field. A cell keeps their hashes, and a contribution adds those that are new. */
export const countDistinct: AggregationDefinition = {
  description: 'the number of distinct values',
  words: {
    en: {
      name: 'Number of different values',
      field: 'Different values of',
      sentence: 'Counts each {{what}} once',
    },
    sv: { name: 'Antal olika värden', field: 'Olika värden av', sentence: 'Räknar varje {{what}} en gång' },
  },
  counts: 'values',
  takesTimes: false,
  keeps: 'distinct_values',
  combines: null,
  accumulator: (counted) => new DistinctAccumulator(counted),
  combine: (contributions) => {
    const hashes = new Set<string>()
    for (const { distinct } of contributions) {
      for (let at = 0; at < distinct!.length; at += distinctHashBytes) {
        hashes.add(distinct!.toString('latin1', at, at + distinctHashBytes))
      }
    }
    return String(hashes.size)
  },
  rule: sum.rule,
  valueSql: ({ distinctValues }) => `(select nullif(count(*), 0) ${distinctValues})`,
}

class DistinctAccumulator implements Accumulator, DistinctValues {
  readonly distinct = this
  readonly #field: number
  readonly #ids: ValueIds | undefined
  /** Hashed before each value. */
  readonly #prefix: Uint8Array
  /** While rows are added: pairs of a cell and the id of a value. */
  readonly #pairs: RowKeyTable
  /** Then: where each cell's values begin (with one entry more for the end), and the values' ids. */
  #starts = new Int32Array(0)
  #values = new Int32Array(0)
  /** Space for what is hashed: the prefix and a value. */
  #input: Buffer | undefined

  constructor({ field, type, ids, salt, seed }: CountedField) {
    this.#field = field
    this.#ids = ids
    // The type is hashed too: the text 1 is not the number 1.
    this.#prefix = Buffer.concat([salt, Buffer.from(`${type}:`)])
    this.#pairs = new RowKeyTable(2, seed)
  }

  grow(): void {}

  get size(): number {
    return this.#pairs.size
  }

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

  /** Groups the values by cell. */
  seal(): void {
    const pairs = this.#pairs
    let cells = 0
    for (let pair = 0; pair < pairs.size; pair++) cells = Math.max(cells, pairs.at(pair, 0) + 1)
    // First the counts, then their running sums, which are the ends; filling from the end turns these into the starts.
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

  hashes(cell: number): Buffer {
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
