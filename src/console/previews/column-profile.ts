import type { RowValue } from '../../formats/documents/row-cursor.ts'
import { type FieldType, readFieldValue } from '../../engine/fields/field-value.ts'
import type { TimeZone } from '../../formats/values/time-zone.ts'
import { cutText } from './cut-text.ts'
import { suggestValue } from './suggest-value.ts'
import { wordsOfName } from './words-of-name.ts'

/** Values of a column that a guess at their meaning uses. */
const guessedFrom = 200
const examplesMax = 3
/** Values that do not fit a type, after which it is no longer tried if hardly any fits. */
const triedMax = 100
/** The share of numbers among the values of a text column above which the others are reported. */
const mostlyShare = 0.9

/** The first value that does not fit a type as it is written. */
export interface Misfit {
  row: number
  value: string
  suggestion: string | undefined
  /** The number of such values. */
  rows: number
}

/** How many values fit a type: as written, or after a correction (`suggest-value.ts`). */
class TypeTrial {
  readonly type: FieldType
  misfit: Misfit | undefined
  readonly #zone: TimeZone
  #fitting = 0
  #suggested = 0
  #failing = 0
  #isOver = false

  constructor(type: FieldType, zone: TimeZone) {
    this.type = type
    this.#zone = zone
  }

  add(value: string, row: number): void {
    if (this.#isOver) return
    if (typeof readFieldValue(this.type, value, this.#zone) !== 'string') {
      this.#fitting++
      return
    }
    const suggestion = suggestValue(this.type, value, this.#zone)
    if (suggestion === undefined) this.#failing++
    else this.#suggested++
    if (this.misfit === undefined) this.misfit = { row, value, suggestion, rows: 1 }
    else this.misfit.rows++
    this.#isOver = this.#failing > triedMax && this.#failing > this.#fitting + this.#suggested
  }

  /** Whether every value fits the type, as written or after a correction. */
  get fitsAll(): boolean {
    return this.#failing === 0 && this.#fitting + this.#suggested > 0
  }

  /** Whether every value fits as written. */
  get isExact(): boolean {
    return this.fitsAll && this.#suggested === 0
  }

  get fitsMost(): boolean {
    const fitting = this.#fitting + this.#suggested
    return !this.#isOver && fitting >= (fitting + this.#failing) * mostlyShare
  }
}

/** The values of one column, or key, of an example. */
export class ColumnProfile {
  readonly name: string
  filled = 0
  /** The first row with an object or a list. */
  notPlainRow: number | undefined
  /** The first values, for a guess at their meaning. */
  readonly values: string[] = []
  readonly #distinct = new Set<string>()
  readonly #number: TypeTrial
  readonly #timestamp: TypeTrial
  readonly #bool: TypeTrial
  readonly #text: TypeTrial
  #hasLeadingZero = false
  /** The length of the values if all are digits of one length; otherwise NaN. */
  #digits: number | undefined

  constructor(name: string, zone: TimeZone) {
    this.name = name
    this.#number = new TypeTrial('number', zone)
    this.#timestamp = new TypeTrial('timestamp', zone)
    this.#bool = new TypeTrial('bool', zone)
    this.#text = new TypeTrial('text', zone)
  }

  add(written: RowValue | null, row: number): void {
    if (written === null || written.text === '') return
    if (written.isNested) {
      this.notPlainRow ??= row
      return
    }
    const value = written.text
    this.filled++
    if (this.values.length < guessedFrom) this.values.push(value)
    if (this.#distinct.size < examplesMax) this.#distinct.add(cutText(value).toWellFormed())
    for (const trial of [this.#number, this.#timestamp, this.#bool, this.#text]) trial.add(value, row)
    if (/^-?0\d/.test(value)) this.#hasLeadingZero = true
    const digits = /^\d+$/.test(value) ? value.length : Number.NaN
    if (this.#digits === undefined) this.#digits = digits
    else if (this.#digits !== digits) this.#digits = Number.NaN
  }

  get examples(): string[] {
    return [...this.#distinct]
  }

  /** The type that all values have, or would have after a correction. */
  getType(): FieldType {
    if (this.#bool.isExact) return 'bool'
    if (this.#timestamp.fitsAll && !this.#isCode) return 'timestamp'
    if (this.#number.fitsAll && !this.#isCode) return 'number'
    return 'text'
  }

  /** The values that do not fit the type as written. */
  findMisfit(type: FieldType): Misfit | undefined {
    const trials = { number: this.#number, timestamp: this.#timestamp, bool: this.#bool, text: this.#text }
    return trials[type].misfit
  }

  /** For a text column that nearly is a number: the values that are not numbers. */
  get mostlyNumbers(): Misfit | undefined {
    if (this.#isCode || this.#number.fitsAll || this.filled < 5 || !this.#number.fitsMost) return undefined
    return this.#number.misfit
  }

  /** Identifiers made of digits: a sum of them means nothing, and leading zeros would be lost. */
  get #isCode(): boolean {
    if (this.#hasLeadingZero || isNameOfCode(this.name)) return true
    const isLong = this.#digits !== undefined && this.#digits >= 9
    return isLong && !this.#timestamp.fitsAll
  }
}

const codeWords =
  'id ids uuid guid no nr nbr number num code kod sku ean gtin upc isbn zip postcode postnr konto account phone tel mobile ref reference referens series serie orgnr pnr ssn iban kundnr ordernr'.split(
    ' ',
  )

function isNameOfCode(name: string): boolean {
  const words = wordsOfName(name)
  if (words.some((word) => codeWords.includes(word))) return true
  return /(?:nummer|nr|kod|code|konto)$/.test(words.at(-1) ?? '')
}
