import { type FieldType, codePoints, labelCharactersMax } from '../fields/field-value.ts'
import { ByteDictionary, hashBytes } from './byte-dictionary.ts'
import { formatDecimal } from '../../formats/values/decimal.ts'
import type { RowSlots } from './row-slots.ts'
import { formatInstant } from '../../formats/values/timestamp.ts'
import { RowKeyTable } from './row-key-table.ts'

/**
 * Numbers the distinct values of one field from 0: equal values get the same id however they are written (1.0 is 1).
 */
export interface ValueIds {
  /** The id of the row's value of the field; for texts see `TextIds`. */
  getId(slots: RowSlots, field: number): number
  /** The canonical text of a value. */
  text(id: number): string
  /** Whether the canonical text of a value is longer than a label may be [fold.label]. */
  isTooLong(id: number): boolean
  /** At most how many bytes the canonical text of a value takes as a JSON string, without the quotes. */
  jsonBytes(id: number): number
  /** Writes the canonical text of a value to `into` at `at`; returns its bytes. */
  write(id: number, into: Buffer, at: number): number
  /** Called after the last row: releases what only finding ids needs. */
  seal(): void
}

/** Keep senders from choosing values that are slow to distinguish. */
export interface Secrets {
  salt: Uint8Array
  seed: number
}

/** `ValueIds` for a field of this type. */
export function createValueIds(type: FieldType, secrets: Secrets): ValueIds {
  switch (type) {
    case 'text':
      return new TextIds(secrets)
    case 'number':
      return new NumberIds(secrets)
    case 'timestamp':
      return new InstantIds(secrets)
    case 'bool':
      return boolIds
  }
}

/** Texts are distinguished by their bytes. The slots do not have these: the parser of a text sets its id there. */
export class TextIds implements ValueIds {
  readonly #texts: ByteDictionary
  /** Answers of `isTooLong` for texts whose length in bytes does not decide it. */
  readonly #tooLong = new Map<number, boolean>()
  #lastText: string | undefined
  #lastId = 0

  constructor({ salt }: Pick<Secrets, 'salt'>) {
    this.#texts = new ByteDictionary(salt)
  }

  getId(slots: RowSlots, field: number): number {
    return slots.ids[field]!
  }

  /** The id of the text `bytes[start, end)`, whose `hashBytes` is `hash`. */
  getIdOfBytes(bytes: Uint8Array, start: number, end: number, hash: number): number {
    return this.#texts.getId(bytes, start, end, hash)
  }

  getIdOfText(text: string): number {
    // All rows of a SIE verification share its text.
    if (text === this.#lastText) return this.#lastId
    const bytes = Buffer.from(text, 'utf8')
    this.#lastText = text
    this.#lastId = this.#texts.getId(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length))
    return this.#lastId
  }

  text(id: number): string {
    return this.#texts.text(id)
  }

  isTooLong(id: number): boolean {
    if (this.#texts.getLength(id) <= labelCharactersMax) return false
    let isTooLong = this.#tooLong.get(id)
    if (isTooLong === undefined) {
      isTooLong = codePoints(this.#texts.text(id)) > labelCharactersMax
      this.#tooLong.set(id, isTooLong)
    }
    return isTooLong
  }

  jsonBytes(id: number): number {
    return this.#texts.getJsonLength(id)
  }

  write(id: number, into: Buffer, at: number): number {
    return this.#texts.copy(id, into, at)
  }

  seal(): void {
    this.#texts.seal()
  }
}

const half = 2 ** 32

/** A safe integer from its upper and lower 32 bits. */
function joined(upper: number, lower: number): number {
  return upper * half + (lower >>> 0)
}

/** The longest canonical text of a number: 38 digits, a sign, a point, and a zero before it. */
const numberBytesMax = 41
/** An instant's canonical text without a fraction, in the years 1 to 9999: `2026-01-05T12:00:00Z`. */
const secondBytes = 20

/** In place of the scale of a number that is distinguished by its text. */
const byText = -1

/** Numbers are distinguished by digits and scale. */
class NumberIds implements ValueIds {
  readonly #numbers: RowKeyTable
  /** Numbers whose digits are not safe integers, by their texts. */
  #large: TextIds | undefined
  readonly #secrets: Secrets

  constructor(secrets: Secrets) {
    this.#numbers = new RowKeyTable(3, secrets.seed)
    this.#secrets = secrets
  }

  getId(slots: RowSlots, field: number): number {
    const { key } = this.#numbers
    let digits = slots.digits[field]!
    let scale = slots.scales[field]!
    if (scale < 0) {
      this.#large ??= new TextIds(this.#secrets)
      digits = this.#large.getIdOfText(formatDecimal(slots.decimal(field)))
      scale = byText
    }
    while (scale > 0 && digits % 10 === 0) {
      digits /= 10
      scale--
    }
    key[0] = digits
    key[1] = Math.floor(digits / half)
    key[2] = scale
    return this.#numbers.id()
  }

  text(id: number): string {
    const digits = joined(this.#numbers.at(id, 1), this.#numbers.at(id, 0))
    const scale = this.#numbers.at(id, 2)
    if (scale === byText) return this.#large!.text(digits)
    return formatDecimal({ digits: BigInt(digits), scale })
  }

  /** A number has at most 38 digits, a sign and a point. */
  isTooLong(): boolean {
    return false
  }

  jsonBytes(): number {
    return numberBytesMax
  }

  write(id: number, into: Buffer, at: number): number {
    return into.write(this.text(id), at)
  }

  seal(): void {
    this.#numbers.seal()
    this.#large?.seal()
  }
}

/** Instants are distinguished by seconds and fraction. */
class InstantIds implements ValueIds {
  readonly #instants: RowKeyTable
  /** Fractions of a second. In a row key, 0 is none and 1 the first. */
  #fractions: TextIds | undefined
  readonly #secrets: Secrets

  constructor(secrets: Secrets) {
    this.#instants = new RowKeyTable(3, secrets.seed)
    this.#secrets = secrets
  }

  getId(slots: RowSlots, field: number): number {
    const { key } = this.#instants
    const seconds = slots.seconds[field]!
    const fraction = slots.fractions[field]!
    key[0] = seconds
    key[1] = Math.floor(seconds / half)
    key[2] = fraction === '' ? 0 : (this.#fractions ??= new TextIds(this.#secrets)).getIdOfText(fraction) + 1
    return this.#instants.id()
  }

  text(id: number): string {
    const seconds = joined(this.#instants.at(id, 1), this.#instants.at(id, 0))
    const fraction = this.#instants.at(id, 2)
    return formatInstant({ seconds, fraction: fraction === 0 ? '' : this.#fractions!.text(fraction - 1) })
  }

  isTooLong(id: number): boolean {
    return this.jsonBytes(id) > labelCharactersMax
  }

  jsonBytes(id: number): number {
    const fraction = this.#instants.at(id, 2)
    return secondBytes + (fraction === 0 ? 0 : 1 + this.#fractions!.jsonBytes(fraction - 1))
  }

  write(id: number, into: Buffer, at: number): number {
    return into.write(this.text(id), at)
  }

  seal(): void {
    this.#instants.seal()
    this.#fractions?.seal()
  }
}

const boolIds: ValueIds = {
  getId: (slots, field) => slots.digits[field]!,
  text: (id) => (id === 1 ? 'true' : 'false'),
  isTooLong: () => false,
  jsonBytes: () => 'false'.length,
  write: (id, into, at) => into.write(id === 1 ? 'true' : 'false', at),
  seal: () => {},
}
