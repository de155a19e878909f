import { ByteDictionary, hashBytes } from './byte-dictionary.ts'
import type { PlanField } from './compile-plan.ts'
import { canonicalValue, type FieldValue, readFieldValue } from './field-value.ts'
import type { TimeZone } from './time-zone.ts'
import { widened } from './widened.ts'

/**
 * Tells the values of one field apart: equal values get one number, however they are written (1.0 is 1). Looks at bytes
 * first, so that a value is read once and not for every row that has it. Numbers may leave gaps.
 */
export class ValueIds {
  readonly #field: PlanField
  readonly #timeZone: TimeZone
  /** All ways of writing values that were met, and the canonical ones, whose numbers are those of the values. */
  readonly #texts: ByteDictionary
  /** By number of a text: the number of its value. Not used for text, which is written in one way. */
  #ids = new Int32Array(16)

  /** `secret` keeps senders from choosing values that are slow to tell apart. */
  constructor(field: PlanField, timeZone: TimeZone, secret: Uint8Array) {
    this.#field = field
    this.#timeZone = timeZone
    this.#texts = new ByteDictionary(secret)
  }

  /** The number of a value as it is written in `bytes[start, end)`; it must fit the field's type. */
  idOfBytes(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const known = this.#texts.size
    const written = this.#texts.idOf(bytes, start, end, hash)
    if (this.#field.type === 'text') return written
    if (written === known) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
      const id = this.idOf(readFieldValue(this.#field.type, text, this.#timeZone) as FieldValue)
      this.#setId(written, id)
    }
    return this.#ids[written]!
  }

  idOf(value: FieldValue): number {
    const bytes = Buffer.from(canonicalValue(value), 'utf8')
    const id = this.#texts.idOf(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length))
    if (value.type !== 'text') this.#setId(id, id)
    return id
  }

  /** The canonical text of a value. */
  text(id: number): string {
    return this.#texts.text(id)
  }

  /** Copies the canonical text of a value to `into`, from `at` on, in UTF-8; gives how many bytes. */
  copy(id: number, into: Uint8Array, at: number): number {
    return this.#texts.copy(id, into, at)
  }

  #setId(text: number, id: number): void {
    if (text >= this.#ids.length)
      this.#ids = widened.int32(this.#ids, Math.max(text + 1, this.#ids.length * 2))
    this.#ids[text] = id
  }
}
