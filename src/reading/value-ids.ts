import { ByteDictionary, hashBytes } from './byte-dictionary.ts'
import type { PlanField } from './compile-plan.ts'
import { canonicalValue, type FieldValue, readFieldValue } from './field-value.ts'
import type { TimeZone } from './time-zone.ts'

/**
 * Tells the values of one field apart: equal values get one number, from 0 in the order of coming, however they are
 * written (1.0 is 1). Looks at bytes first, so that a value is read once and not for every row that has it.
 */
export class ValueIds {
  readonly #field: PlanField
  readonly #timeZone: TimeZone
  readonly #written = new ByteDictionary()
  /** For every way of writing the value that it is; not used for text, which is written in one way. */
  #idsOfWritten = new Int32Array(16)
  readonly #ids = new Map<string, number>()
  readonly #texts: string[] = []

  constructor(field: PlanField, timeZone: TimeZone) {
    this.#field = field
    this.#timeZone = timeZone
  }

  /** The number of a value as it is written in `bytes[start, end)`; it must fit the field's type. */
  idOfBytes(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const known = this.#written.size
    const written = this.#written.idOf(bytes, start, end, hash)
    if (this.#field.type === 'text') return written
    if (written === known) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
      this.#setIdOfWritten(written, readFieldValue(this.#field.type, text, this.#timeZone) as FieldValue)
    }
    return this.#idsOfWritten[written]!
  }

  idOf(value: FieldValue): number {
    if (value.type !== 'text') return this.#idOfCanonical(canonicalValue(value))
    const bytes = Buffer.from(value.text, 'utf8')
    return this.#written.idOf(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length))
  }

  /** The canonical text of a value. */
  text(id: number): string {
    return this.#field.type === 'text' ? this.#written.text(id) : this.#texts[id]!
  }

  #setIdOfWritten(written: number, value: FieldValue): void {
    if (written === this.#idsOfWritten.length) {
      const wider = new Int32Array(written * 2)
      wider.set(this.#idsOfWritten)
      this.#idsOfWritten = wider
    }
    this.#idsOfWritten[written] = this.#idOfCanonical(canonicalValue(value))
  }

  #idOfCanonical(text: string): number {
    let id = this.#ids.get(text)
    if (id === undefined) {
      id = this.#texts.length
      this.#texts.push(text)
      this.#ids.set(text, id)
    }
    return id
  }
}
