import { hashBytes, hashFactor, hashSeed } from './byte-dictionary.ts'
import { dayNumber, daysInMonth } from './calendar.ts'
import type { Plan, PlanField } from './compile-plan.ts'
import { valueCharactersMax } from './field-value.ts'
import type { RowSlots } from './row-slots.ts'
import type { TimeZone } from './time-zone.ts'
import { secondsOfDay } from './timestamp.ts'
import { UnescapedText } from './unescaped-text.ts'
import type { ValueIds } from './value-ids.ts'
import type { WrittenKeys } from './written-keys.ts'

/** Digits of a number that is read as an integer, the zeros in front counted: all are safe integers. */
const digitsMax = 15
/** Decimals of a second that are read here. */
const fractionDigitsMax = 9

/** Bytes that stand for themselves in a string. */
const plain = new Uint8Array(256).fill(1)
plain.fill(0, 0, 0x20)
plain[0x22] = 0
plain[0x5c] = 0

/**
 * Reads rows as nearly all of them are written, in one pass over their bytes: declared keys as they are or with all
 * but ASCII escaped, numbers of up to 15 digits without exponent, times without leap second. Whatever is not so is
 * left to the general way, which every row can go; a row that is read here would come out of it the same.
 *
 * The next key is guessed from the row before: the one that followed this key there.
 */
export class FastRowReader {
  readonly #content: Uint8Array
  readonly #slots: RowSlots
  readonly #timeZone: TimeZone
  readonly #ids: (ValueIds | undefined)[]
  readonly #fields: PlanField[]
  readonly #keys: WrittenKeys
  /** By field: the stamp of the last row that had its key. */
  readonly #seen: Int32Array
  #unescaped: UnescapedText | undefined
  /** The date read last, as YYYYMMDD, and its day. */
  #lastDate = -1
  #lastDay = 0

  /** `ids` by field of the plan. The content must be UTF-8. */
  constructor(plan: Plan, content: Uint8Array, slots: RowSlots, ids: (ValueIds | undefined)[]) {
    const { fields } = plan
    this.#content = content
    this.#slots = slots
    this.#timeZone = plan.timeZone
    this.#ids = ids
    this.#fields = fields
    this.#keys = plan.keys
    this.#seen = new Int32Array(fields.length)
  }

  /**
   * Reads the row whose opening brace is at `at` into the slots, which must have been cleared. Gives the position
   * after its closing brace, or -1 for a row that is not for here; then the slots hold anything.
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
      if (content[i] === 0x6e) i = this.#readNull(i)
      else if (type === 'number') i = this.#readNumber(i, field)
      else if (type === 'text') i = this.#readText(i, field)
      else if (type === 'timestamp') i = this.#readTimestamp(i, field)
      else i = this.#readBool(i, field)
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

  /** The position after the written key where it stands at `at`, else -1. */
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

  // The following read a value that begins at `at` and give the position after it, or -1. They set the field's
  // slot, or leave it as it is for a missing value.

  #readNull(at: number): number {
    const content = this.#content
    return content[at + 1] === 0x75 && content[at + 2] === 0x6c && content[at + 3] === 0x6c ? at + 4 : -1
  }

  #readNumber(at: number, field: number): number {
    const content = this.#content
    const isQuoted = content[at] === 0x22
    const start = isQuoted ? at + 1 : at
    let i = start
    let byte = content[i]!
    const isNegative = byte === 0x2d
    if (isNegative || (byte === 0x2b && isQuoted)) byte = content[++i]!
    const wholeStart = i
    let digits = 0
    while (byte >= 0x30 && byte <= 0x39) {
      digits = digits * 10 + (byte - 0x30)
      byte = content[++i]!
    }
    let digitCount = i - wholeStart
    let scale = 0
    if (byte === 0x2e) {
      const decimalsStart = ++i
      byte = content[i]!
      while (byte >= 0x30 && byte <= 0x39) {
        digits = digits * 10 + (byte - 0x30)
        byte = content[++i]!
      }
      scale = i - decimalsStart
      digitCount += scale
      // JSON's own numbers have digits on both sides of the point.
      if (!isQuoted && (scale === 0 || decimalsStart - 1 === wholeStart)) return -1
    }
    if (digitCount === 0) return isQuoted && byte === 0x22 && i === start ? i + 1 : -1
    if (digitCount > digitsMax) return -1
    const end = i
    if (isQuoted) {
      if (byte !== 0x22) return -1
      i++
    } else {
      if (byte !== 0x2c && byte !== 0x7d && byte > 0x20) return -1
      if (content[wholeStart] === 0x30 && digitCount - scale > 1) return -1
    }
    const slots = this.#slots
    slots.stamps[field] = slots.stamp
    slots.digits[field] = isNegative ? -digits : digits
    slots.scales[field] = scale
    const ids = this.#ids[field]
    if (ids !== undefined) {
      slots.ids[field] = ids.idOfBytes(content, start, end, hashBytes(content, start, end))
    }
    return i
  }

  #readText(at: number, field: number): number {
    const content = this.#content
    if (content[at] !== 0x22) return -1
    const start = at + 1
    let i = start
    let byte = content[i]!
    const ids = this.#ids[field]
    let hash = hashSeed
    if (ids === undefined) while (plain[byte] === 1) byte = content[++i]!
    else {
      while (plain[byte] === 1) {
        hash = Math.imul(hash ^ byte, hashFactor)
        byte = content[++i]!
      }
    }
    if (byte === 0x5c) return this.#readEscapedText(start, field)
    // So many bytes are at most so many characters.
    if (byte !== 0x22 || i - start > valueCharactersMax) return -1
    if (i > start) {
      const slots = this.#slots
      slots.stamps[field] = slots.stamp
      if (ids !== undefined) slots.ids[field] = ids.idOfBytes(content, start, i, hash)
    }
    return i + 1
  }

  #readEscapedText(start: number, field: number): number {
    const unescaped = (this.#unescaped ??= new UnescapedText(valueCharactersMax))
    const end = unescaped.read(this.#content, start)
    if (end < 0) return -1
    const slots = this.#slots
    slots.stamps[field] = slots.stamp
    const { bytes, length } = unescaped
    const ids = this.#ids[field]
    if (ids !== undefined) slots.ids[field] = ids.idOfBytes(bytes, 0, length, hashBytes(bytes, 0, length))
    return end + 1
  }

  #readBool(at: number, field: number): number {
    const content = this.#content
    const isQuoted = content[at] === 0x22
    const start = isQuoted ? at + 1 : at
    let end = start
    if (content[start] === 0x74) {
      if (content[start + 1] !== 0x72 || content[start + 2] !== 0x75 || content[start + 3] !== 0x65) return -1
      end += 4
    } else if (content[start] === 0x66) {
      if (content[start + 1] !== 0x61 || content[start + 2] !== 0x6c) return -1
      if (content[start + 3] !== 0x73 || content[start + 4] !== 0x65) return -1
      end += 5
    }
    if (isQuoted ? content[end] !== 0x22 : end === start) return -1
    if (end > start) {
      const slots = this.#slots
      slots.stamps[field] = slots.stamp
      const ids = this.#ids[field]
      if (ids !== undefined) {
        slots.ids[field] = ids.idOfBytes(content, start, end, hashBytes(content, start, end))
      }
    }
    return isQuoted ? end + 1 : end
  }

  #readTimestamp(at: number, field: number): number {
    const content = this.#content
    if (content[at] !== 0x22) return -1
    if (content[at + 1] === 0x22) return at + 2
    const start = at + 1
    const century = this.#pair(start)
    const years = this.#pair(start + 2)
    const month = this.#pair(start + 5)
    const dayOfMonth = this.#pair(start + 8)
    if (century < 0 || years < 0 || month < 0 || dayOfMonth < 0) return -1
    if (content[start + 4] !== 0x2d || content[start + 7] !== 0x2d) return -1
    const date = ((century * 100 + years) * 100 + month) * 100 + dayOfMonth
    if (date !== this.#lastDate) {
      const year = century * 100 + years
      if (dayOfMonth < 1 || dayOfMonth > daysInMonth(year, month)) return -1
      this.#lastDate = date
      this.#lastDay = dayNumber(year, month, dayOfMonth)
    }

    const slots = this.#slots
    let seconds: number
    let fraction = ''
    let i = start + 10
    const separator = content[i]!
    if (separator === 0x22) {
      seconds = this.#fields[field]!.wantsValue ? this.#timeZone.midnightOf(this.#lastDay) : 0
      slots.dateAlone = true
    } else {
      if (separator !== 0x54 && separator !== 0x74 && separator !== 0x20) return -1
      const hour = this.#pair(i + 1)
      const minute = this.#pair(i + 4)
      const second = this.#pair(i + 7)
      if (hour < 0 || minute < 0 || second < 0 || hour > 23 || minute > 59 || second > 59) return -1
      if (content[i + 3] !== 0x3a || content[i + 6] !== 0x3a) return -1
      seconds = this.#lastDay * secondsOfDay + hour * 3600 + minute * 60 + second
      i += 9
      if (content[i] === 0x2e) {
        const fractionStart = ++i
        let lastDigit = fractionStart
        let byte = content[i]!
        while (byte >= 0x30 && byte <= 0x39) {
          if (byte !== 0x30) lastDigit = i + 1
          byte = content[++i]!
        }
        if (i === fractionStart || i - fractionStart > fractionDigitsMax) return -1
        if (lastDigit > fractionStart && this.#fields[field]!.wantsValue) {
          for (let k = fractionStart; k < lastDigit; k++) fraction += digitTexts[content[k]! - 0x30]
        }
      }
      const zone = content[i]!
      if (zone === 0x5a || zone === 0x7a) i++
      else {
        if (zone !== 0x2b && zone !== 0x2d) return -1
        const offsetHour = this.#pair(i + 1)
        const offsetMinute = this.#pair(i + 4)
        if (offsetHour < 0 || offsetMinute < 0 || offsetHour > 23 || offsetMinute > 59) return -1
        if (content[i + 3] !== 0x3a) return -1
        const offset = offsetHour * 3600 + offsetMinute * 60
        seconds += zone === 0x2d ? offset : -offset
        i += 6
      }
      if (content[i] !== 0x22) return -1
    }
    slots.stamps[field] = slots.stamp
    slots.seconds[field] = seconds
    slots.fractions[field] = fraction
    const ids = this.#ids[field]
    if (ids !== undefined) slots.ids[field] = ids.idOfBytes(content, start, i, hashBytes(content, start, i))
    return i + 1
  }

  /** The number that two digits say, or -1. */
  #pair(at: number): number {
    const tens = this.#content[at]! - 0x30
    const ones = this.#content[at + 1]! - 0x30
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1
  }
}

const digitTexts = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']
