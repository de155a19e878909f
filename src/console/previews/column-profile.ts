import type { RowValue } from '../../formats/documents/row-cursor.ts'
import { type FieldType, readFieldValue } from '../../engine/fields/field-value.ts'
import type { TimeZone } from '../../formats/values/time-zone.ts'
import { cutText } from './cut-text.ts'
import { suggestValue } from './suggest-value.ts'
import { wordsOfName } from './words-of-name.ts'

/** Values that a guess at what they are is made from. */
const guessedFrom = 200
const examplesMax = 3
/** Values that do not fit a type, beyond which it is not tried any longer where hardly any has. */
const triedMax = 100
/** The share of values that are numbers for a text to be told as one that nearly is. */
const mostlyShare = 0.9

/** The first value that a type does not take as it is written. */
export interface Misfit {
  row: number
  value: string
  suggestion: string | undefined
  /** How many there are. */
  rows: number
}

/** How many values fit a type: as they are written, or as they would be (`suggest-value.ts`). */
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

  /** Every value says something of the type. */
  get fitsAll(): boolean {
    return this.#failing === 0 && this.#fitting + this.#suggested > 0
  }

  /** Every value is written as it has to be. */
  get isExact(): boolean {
    return this.fitsAll && this.#suggested === 0
  }

  get fitsMost(): boolean {
    const fitting = this.#fitting + this.#suggested
    return !this.#isOver && fitting >= (fitting + this.#failing) * mostlyShare
  }
}

/** What stands in one column, or under one key, of an example. */
export class ColumnProfile {
  readonly name: string
  filled = 0
  /** The first row with an object or a list. */
  notPlainRow: number | undefined
  /** The first values, for a guess at what they are. */
  readonly values: string[] = []
  readonly #distinct = new Set<string>()
  readonly #number: TypeTrial
  readonly #timestamp: TypeTrial
  readonly #bool: TypeTrial
  readonly #text: TypeTrial
  #hasLeadingZero = false
  /** The length of all values, where they are of digits and of one length; NaN where they are not. */
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

  /** The type that all values have, or would have if they were written as that type is. */
  typeOf(): FieldType {
    if (this.#bool.isExact) return 'bool'
    if (this.#timestamp.fitsAll && !this.#isCode) return 'timestamp'
    if (this.#number.fitsAll && !this.#isCode) return 'number'
    return 'text'
  }

  /** The values that the type does not take as they are written. */
  misfitOf(type: FieldType): Misfit | undefined {
    const trials = { number: this.#number, timestamp: this.#timestamp, bool: this.#bool, text: this.#text }
    return trials[type].misfit
  }

  /** What is proposed as text, though nearly all of it are numbers: those that are not. */
  get mostlyNumbers(): Misfit | undefined {
    if (this.#isCode || this.#number.fitsAll || this.filled < 5 || !this.#number.fitsMost) return undefined
    return this.#number.misfit
  }

  /** Digits that name something: nothing would come of adding them up, and the zeros before them would be lost. */
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
