/** Rows as numbers, so that hundreds of thousands can be compared: pure. */
import { canonicalValue, readFieldValue, type FieldType } from '../../../engine/fields/field-value.ts'
import { formats, type Format } from '../../../engine/formats/formats.ts'
import { RowKeyTable } from '../../../engine/tables/row-key-table.ts'
import type { TimeZone } from '../../../formats/values/time-zone.ts'

/** Numbers the values of a field from 1, equal ones alike (1.0 is 1); 0 is a missing one. */
export class ValueNumbers {
  readonly #type: FieldType
  readonly #zone: TimeZone
  readonly #byText = new Map<string, number>()
  readonly #byValue = new Map<string, number>()

  constructor(type: FieldType, zone: TimeZone) {
    this.#type = type
    this.#zone = zone
  }

  number(text: string): number {
    if (text === '') return 0
    let number = this.#byText.get(text)
    if (number === undefined) {
      const value = readFieldValue(this.#type, text, this.#zone)
      const canonical = typeof value === 'string' ? text : canonicalValue(value)
      number = this.#byValue.get(canonical) ?? this.#byValue.size + 1
      this.#byValue.set(canonical, number)
      this.#byText.set(text, number)
    }
    return number
  }
}

/** By field: the numbers of its values in each of the rows. */
export type Columns = readonly Int32Array[]

/** Encodes rows of a document, which are given by their numbers in ascending order. */
export function encodeRows(
  content: Uint8Array,
  format: Format,
  rows: readonly number[],
  fields: ReadonlyMap<string, ValueNumbers>,
): Columns {
  const columns = Array.from(fields, () => new Int32Array(rows.length))
  const cursor = formats[format].openRows(content, (name) => fields.has(name))
  let at = 0
  for (let row = 1; at < rows.length && cursor.next(); row++) {
    if (row !== rows[at]) continue
    const values = cursor.values()
    let column = 0
    for (const [name, numbers] of fields) {
      columns[column++]![at] = numbers.number(values.get(name)?.text ?? '')
    }
    at++
  }
  return columns
}

export interface Paired {
  /** Places before and after. */
  pairs: [before: number, after: number][]
  before: number[]
  after: number[]
}

/**
 * Pairs rows of two sides that have the same key, in their order; what is left over has no partner. `fill` puts the key
 * of a row into a list of `width` numbers.
 */
export function pairRows(
  { before, after }: Pick<Paired, 'before' | 'after'>,
  { width, seed }: { width: number; seed: number },
  fill: (key: Int32Array, side: 'before' | 'after', place: number) => void,
): Paired {
  const table = new RowKeyTable(width, seed)
  /** By key: the first row before that has no partner yet; by row: the next one. */
  const first: number[] = []
  const next = new Int32Array(before.length)
  for (let at = before.length - 1; at >= 0; at--) {
    fill(table.key, 'before', before[at]!)
    const key = table.id()
    next[at] = first[key] ?? -1
    first[key] = at
  }
  const isPaired = new Uint8Array(before.length)
  const found: Paired = { pairs: [], before: [], after: [] }
  for (const place of after) {
    fill(table.key, 'after', place)
    const key = table.has() ? table.id() : -1
    const at = key < 0 ? -1 : first[key]!
    if (at < 0) found.after.push(place)
    else {
      first[key] = next[at]!
      isPaired[at] = 1
      found.pairs.push([before[at]!, place])
    }
  }
  table.release()
  found.before = before.filter((_place, at) => isPaired[at] === 0)
  return found
}
