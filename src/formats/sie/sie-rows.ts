import { isUtf8 } from 'node:buffer'
import { fromCodePage437 } from './code-page-437.ts'
import { SieError, type SieFault } from './sie-error.ts'
import { isSieSpace, SieRecord } from './sie-record.ts'

/** What a row of a SIE file has; a source declares the ones that it uses [push.document]. */
export const sieRowFields = [
  'account',
  /** As written: a debit is positive, a credit negative. */
  'amount',
  /** `YYYY-MM-DD`: the transaction's own date, or its verification's. */
  'date',
  /** Of the verification. */
  'series',
  'number',
  /** The transaction's own, or its verification's. */
  'text',
  /** Dimensions and their objects: `1:10 6:P1`. */
  'object',
  /** The amount with its sign inverted, so that revenue, which is booked as credit, is positive. Our addition. */
  'credit',
] as const
export type SieRowField = (typeof sieRowFields)[number]

const lineFeed = 0x0a
const carriageReturn = 0x0d
const openBrace = 0x7b
const closeBrace = 0x7d
const hash = 0x23
/** Ends old text files. */
const control26 = 0x1a

/** Bytes of a #VER record, which is repeated in every row: so a small file never becomes a huge one. */
export const verificationBytesMax = 10_000

/** The places of the fields in their records. */
const transaction = { account: 0, object: 1, amount: 2, date: 3, text: 4, fieldsMin: 3 }
const verification = { series: 0, number: 1, date: 2, text: 3, fieldsMin: 3 }

type VerificationField = 'series' | 'number' | 'date' | 'text'
const noTexts: Record<VerificationField, string> = { series: '', number: '', date: '', text: '' }

/**
 * Walks the #TRANS lines of a SIE file of type 4, exported (`.se`) or to be imported (`.si`): its rows. #RTRANS, which
 * the format repeats as #TRANS, #BTRANS, which was struck, and records of every other label are passed over. Text is
 * UTF-8 where the bytes are, and code page 437 elsewhere. Time is linear in any bytes.
 *
 *   while (rows.next()) … rows.text('account'), rows.line …
 */
export class SieRows {
  /** The line of the row, from 1. */
  line = 0

  readonly #bytes: Uint8Array
  readonly #buffer: Buffer
  readonly #record: SieRecord
  #encoding: 'utf8' | 'latin1' | undefined
  /** The current line, without the spaces before it and the line break. */
  #start = 0
  #end = 0
  #at: number

  #hasFlag = false
  /** The lines on which something was begun that has not ended yet, or 0. */
  #openSum = 0
  #openVerification = 0
  #openBlock = 0
  /** The open block is a verification's. */
  #inVerification = false
  /** The line before can have a block: it was a record, or there was none since. */
  #canOpen = false
  #verification = noTexts

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#record = new SieRecord(bytes)
    this.#at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  }

  /** Moves to the next row; false at the end. Throws a `SieError` if the syntax is broken. */
  next(): boolean {
    while (this.#nextLine()) {
      const first = this.#bytes[this.#start]
      if (!this.#hasFlag) {
        if (!this.#isLabel('#FLAGGA')) throw this.#fault('no_flag')
        this.#hasFlag = true
      }
      if (first === hash) {
        if (this.#readRecord()) return true
      } else if (first === openBrace) this.#openTheBlock()
      else if (first === closeBrace) this.#closeTheBlock()
      else if (this.#openBlock === 0 || this.#inVerification) throw this.#fault('no_label')
    }
    if (!this.#hasFlag) throw this.#fault('no_flag')
    const begun = this.#openBlock || this.#openVerification || this.#openSum
    if (begun > 0) throw new SieError('cut_off', begun)
    return false
  }

  /** The row's text in a field; empty if it has none. */
  text(field: SieRowField): string {
    switch (field) {
      case 'account':
        return this.#fieldText(transaction.account)
      case 'amount':
        return this.#fieldText(transaction.amount)
      case 'credit':
        return turnSign(this.#fieldText(transaction.amount))
      case 'date':
        return dateText(this.#fieldText(transaction.date)) || this.#verification.date
      case 'text':
        return this.#fieldText(transaction.text) || this.#verification.text
      case 'object':
        return this.#objectText()
      case 'series':
      case 'number':
        return this.#verification[field]
    }
  }

  /** Moves to the next line that has something on it. */
  #nextLine(): boolean {
    const bytes = this.#bytes
    const length = bytes.length
    let at = this.#at
    while (at < length) {
      this.line++
      while (at < length && isSieSpace(bytes[at])) at++
      const start = at
      while (at < length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++
      const end = at
      if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) at++
      at++
      if (end > start) {
        if (bytes[start] === control26) break
        this.#start = start
        this.#end = end
        this.#at = at
        return true
      }
    }
    this.#at = length
    return false
  }

  #isLabel(label: string): boolean {
    const start = this.#start
    const end = start + label.length
    for (let at = start; at < end; at++) {
      if (this.#bytes[at] !== label.charCodeAt(at - start)) return false
    }
    return end === this.#end || (end < this.#end && isSieSpace(this.#bytes[end]))
  }

  /** Whether the record is a row. */
  #readRecord(): boolean {
    if (this.#inVerification) {
      if (this.#isLabel('#TRANS')) {
        this.#readFields('#TRANS', transaction.fieldsMin, transaction.object)
        return true
      }
      if (this.#isLabel('#VER')) throw this.#fault('brace')
      return false
    }
    if (this.#openBlock > 0) return false
    if (this.#openVerification > 0) throw new SieError('no_rows', this.#openVerification)
    this.#canOpen = true
    if (this.#isLabel('#VER')) this.#beginVerification()
    else if (this.#isLabel('#TRANS') || this.#isLabel('#RTRANS') || this.#isLabel('#BTRANS')) {
      throw this.#fault('outside')
    } else if (this.#isLabel('#SIETYP')) {
      this.#readFields('#SIETYP', 1)
      if (this.#fieldText(0) !== '4') throw this.#fault('type')
    } else if (this.#isLabel('#KSUMMA')) this.#readSum()
    return false
  }

  /** Reads the record's fields, of which one may be a list of objects. */
  #readFields(label: string, fieldsMin: number, list?: number): void {
    const record = this.#record
    record.read(this.#start + label.length, this.#end, this.line)
    for (let field = 0; field < Math.max(fieldsMin, Math.min(record.count, record.starts.length)); field++) {
      if (field >= record.count || record.isList(field) !== (field === list)) throw this.#fault('fields')
    }
  }

  #beginVerification(): void {
    if (this.#end - this.#start > verificationBytesMax) throw this.#fault('too_long')
    this.#readFields('#VER', verification.fieldsMin)
    this.#openVerification = this.line
    this.#verification = {
      series: this.#fieldText(verification.series),
      number: this.#fieldText(verification.number),
      date: dateText(this.#fieldText(verification.date)),
      text: this.#fieldText(verification.text),
    }
  }

  /** A checksum begins with a record without a sum and ends with one that has it. The sum is not verified. */
  #readSum(): void {
    this.#record.read(this.#start + '#KSUMMA'.length, this.#end, this.line)
    this.#openSum = this.#record.count === 0 ? this.line : 0
  }

  #openTheBlock(): void {
    if (this.#openBlock > 0 || !this.#canOpen || !this.#standsAlone()) throw this.#fault('brace')
    this.#openBlock = this.#openVerification || this.line
    this.#inVerification = this.#openVerification > 0
    this.#canOpen = false
  }

  #closeTheBlock(): void {
    if (this.#openBlock === 0 || !this.#standsAlone()) throw this.#fault('brace')
    this.#openBlock = 0
    this.#openVerification = 0
    this.#inVerification = false
  }

  #standsAlone(): boolean {
    let at = this.#start + 1
    while (at < this.#end && isSieSpace(this.#bytes[at])) at++
    return at === this.#end
  }

  #fieldText(field: number): string {
    const { count, starts, ends } = this.#record
    return field < count ? this.#decode(starts[field]!, ends[field]!) : ''
  }

  #objectText(): string {
    const items = this.#record.listItems(transaction.object)
    const objects: string[] = []
    for (let k = 0; k < items.length; k += 4) {
      const dimension = this.#decode(items[k]!, items[k + 1]!)
      objects.push(`${dimension}:${this.#decode(items[k + 2]!, items[k + 3]!)}`)
    }
    return objects.join(' ')
  }

  /** A raw field without its quotes, as text. */
  #decode(start: number, end: number): string {
    this.#encoding ??= isUtf8(this.#bytes) ? 'utf8' : 'latin1'
    const isQuoted = this.#bytes[start] === 0x22
    const raw = isQuoted
      ? this.#buffer.toString(this.#encoding, start + 1, end - 1)
      : this.#buffer.toString(this.#encoding, start, end)
    const text = isQuoted && raw.includes('\\') ? raw.replaceAll('\\"', '"') : raw
    return this.#encoding === 'utf8' ? text : fromCodePage437(text)
  }

  #fault(fault: SieFault): SieError {
    return new SieError(fault, this.line)
  }
}

/** `20260115` as `2026-01-15`; anything else unchanged, and so not a date. */
function dateText(text: string): string {
  return /^[0-9]{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : text
}

/** A number with its sign inverted; anything that does not begin like a number unchanged. */
function turnSign(amount: string): string {
  const digits = /^[+-]/.test(amount) ? amount.slice(1) : amount
  if (!/^[0-9.]/.test(digits)) return amount
  return amount.startsWith('-') ? digits : `-${digits}`
}
