import { type FieldType, valueCharactersMax } from '../fields/field-value.ts'
import { hashBytes, hashFactor, hashSeed } from '../tables/byte-dictionary.ts'
import type { Plan, PlanField } from '../parsing/plan/compile-plan.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import { UnescapedText } from './unescaped-text.ts'
import { ValueReader } from './value-reader.ts'
import type { ValueIds } from '../tables/value-ids.ts'
import type { WrittenKeys } from '../parsing/plan/written-keys.ts'

/** Bytes that are not escaped in a JSON string. */
const plain = new Uint8Array(256).fill(1)
plain.fill(0, 0, 0x20)
plain[0x22] = 0
plain[0x5c] = 0

/**
 * Parses rows that are written as nearly all are, in one pass over their bytes: declared keys as they are or with
 * everything but ASCII escaped, and values that `ValueReader` parses. Any other row is left to the general path, which
 * handles every row and gives the same result.
 *
 * The next key is guessed from the row before: the one that followed the current key there.
 */
export class FastRowReader {
  readonly #content: Uint8Array
  readonly #slots: RowSlots
  readonly #values: ValueReader
  readonly #fields: PlanField[]
  readonly #keys: WrittenKeys
  /** By field: the stamp of the latest row with its key. */
  readonly #seen: Int32Array
  #unescaped: UnescapedText | undefined

  /** `ids` by field of the plan. The content must be UTF-8. */
  constructor(plan: Plan, content: Uint8Array, slots: RowSlots, ids: (ValueIds | undefined)[]) {
    const { fields } = plan
    this.#content = content
    this.#slots = slots
    this.#values = new ValueReader(plan, content, slots, ids)
    this.#fields = fields
    this.#keys = plan.keys
    this.#seen = new Int32Array(fields.length)
  }

  /**
   * Parses the row whose opening brace is at `at` into the slots, which must have been cleared. Returns the position
   * after its closing brace, or -1 for a row that needs the general path; the slots are then undefined.
   */
  read(at: number): number {
    const content = this.#content
    const slots = this.#slots
    const seen = this.#seen
    const { next, fields: keyFields, starts } = this.#keys
    const stamp = slots.stamp
    let i = this.#skipSpace(at + 1)
    if (content[i] === 0x7d) return i + 1
    let previous = keyFields.length
    for (;;) {
      let key = next[previous]!
      let afterKey = this.#matchKey(key, i)
      if (afterKey < 0) {
        key = this.#findKey(i)
        if (key < 0) return -1
        next[previous] = key
        afterKey = i + starts[key + 1]! - starts[key]!
      }
      previous = key
      const field = keyFields[key]!
      if (seen[field] === stamp) return -1
      seen[field] = stamp

      i = afterKey
      if (content[i] !== 0x3a) {
        i = this.#skipSpace(i)
        if (content[i] !== 0x3a) return -1
      }
      i++
      if (content[i]! <= 0x20) i = this.#skipSpace(i)

      const { type } = this.#fields[field]!
      if (content[i] === 0x22) i = this.#readQuoted(i, field, type)
      else if (content[i] === 0x6e) i = this.#readNull(i)
      else i = this.#readBare(i, field, type)
      if (i < 0) return -1

      if (content[i]! <= 0x20) i = this.#skipSpace(i)
      const byte = content[i]
      if (byte === 0x7d) return i + 1
      if (byte !== 0x2c) return -1
      i++
      if (content[i]! <= 0x20) i = this.#skipSpace(i)
    }
  }

  #skipSpace(at: number): number {
    const content = this.#content
    for (;;) {
      const byte = content[at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
      at++
    }
  }

  /** The position after the written key if it is at `at`, otherwise -1. */
  #matchKey(key: number, at: number): number {
    const content = this.#content
    const { bytes, starts } = this.#keys
    const end = starts[key + 1]!
    let i = at
    for (let k = starts[key]!; k < end; k++, i++) if (content[i] !== bytes[k]) return -1
    return i
  }

  #findKey(at: number): number {
    for (let key = 0; key < this.#keys.fields.length; key++) {
      if (this.#matchKey(key, at) >= 0) return key
    }
    return -1
  }

  // The following methods parse the value that begins at `at` and return the position after it, or -1. They set the
  // field's slot, or do not touch it if the value is missing.

  #readNull(at: number): number {
    const content = this.#content
    return content[at + 1] === 0x75 && content[at + 2] === 0x6c && content[at + 3] === 0x6c ? at + 4 : -1
  }

  #readQuoted(at: number, field: number, type: FieldType): number {
    const content = this.#content
    const start = at + 1
    if (type === 'text') return this.#readText(start, field)
    if (content[start] === 0x22) return start + 1
    const values = this.#values
    const end =
      type === 'number'
        ? values.readNumber(start, field)
        : type === 'timestamp'
          ? values.readTimestamp(start, field)
          : values.readBool(start, field)
    if (end < 0 || content[end] !== 0x22) return -1
    values.keep(field)
    return end + 1
  }

  /** A JSON number, `true`, `false` or `null`. */
  #readBare(at: number, field: number, type: FieldType): number {
    const values = this.#values
    const end =
      type === 'number' ? this.#readBareNumber(at, field) : type === 'bool' ? values.readBool(at, field) : -1
    if (end >= 0) values.keep(field)
    return end
  }

  /** JSON numbers have digits on both sides of the point, no leading zeros and no plus. */
  #readBareNumber(at: number, field: number): number {
    const content = this.#content
    const end = this.#values.readNumber(at, field)
    if (end < 0 || content[end - 1] === 0x2e) return -1
    const first = content[at] === 0x2d ? at + 1 : at
    const next = content[first + 1]!
    if (content[first] === 0x30 ? next >= 0x30 && next <= 0x39 : content[first]! < 0x30) return -1
    const byte = content[end]!
    return byte === 0x2c || byte === 0x7d || byte <= 0x20 ? end : -1
  }

  #readText(start: number, field: number): number {
    const content = this.#content
    let i = start
    let byte = content[i]!
    let hash = hashSeed
    if (!this.#fields[field]!.wantsId) while (plain[byte] === 1) byte = content[++i]!
    else {
      while (plain[byte] === 1) {
        hash = Math.imul(hash ^ byte, hashFactor)
        byte = content[++i]!
      }
    }
    if (byte === 0x5c) return this.#readEscapedText(start, field)
    // A text has at most as many characters as bytes.
    if (byte !== 0x22 || i - start > valueCharactersMax) return -1
    if (i > start) this.#values.keepText(field, content, start, i, hash)
    return i + 1
  }

  #readEscapedText(start: number, field: number): number {
    const unescaped = (this.#unescaped ??= new UnescapedText(valueCharactersMax))
    const end = unescaped.read(this.#content, start)
    if (end < 0) return -1
    const { bytes, length } = unescaped
    this.#values.keepText(field, bytes, 0, length, hashBytes(bytes, 0, length))
    return end + 1
  }
}
