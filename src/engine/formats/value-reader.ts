import { dayNumber, daysInMonth } from '../../formats/values/calendar.ts'
import type { Plan, PlanField } from '../parsing/plan/compile-plan.ts'
import { labelCharactersMax } from '../fields/field-value.ts'
import type { RowSlots } from '../tables/row-slots.ts'
import type { TimeZone } from '../../formats/values/time-zone.ts'
import { secondsOfDay } from '../../formats/values/timestamp.ts'
import { TextIds, type ValueIds } from '../tables/value-ids.ts'

/** Digits, leading zeros included, of a number parsed here: all such numbers are safe integers. */
const digitsMax = 15
/** Decimals of a second that are parsed here. */
const fractionDigitsMax = 9

const digitTexts = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']

/**
 * Parses values straight from the bytes of a document into the slots of a row if they are written as nearly all are:
 * numbers of up to 15 digits without exponent, times without leap second, `true` and `false` in lower case. Others are
 * left to the general path (`readFieldValue`), which handles every value and gives the same result.
 *
 * Each method parses the value that begins at `start` and returns the position after it, or -1. The caller checks what
 * follows the value; then `keep` puts it into the row.
 */
export class ValueReader {
  readonly #content: Uint8Array
  readonly #slots: RowSlots
  readonly #timeZone: TimeZone
  /** By field: the ids of its texts, or of its other values, if the plan wants them. */
  readonly #textIds: (TextIds | undefined)[]
  readonly #valueIds: (ValueIds | undefined)[]
  readonly #fields: PlanField[]
  /** The last date parsed, as YYYYMMDD, and its day. */
  #lastDate = -1
  #lastDay = 0

  /** `ids` by field of the plan. The content must be UTF-8. */
  constructor(plan: Plan, content: Uint8Array, slots: RowSlots, ids: (ValueIds | undefined)[]) {
    this.#content = content
    this.#slots = slots
    this.#timeZone = plan.timeZone
    this.#textIds = ids.map((each) => (each instanceof TextIds ? each : undefined))
    this.#valueIds = ids.map((each) => (each instanceof TextIds ? undefined : each))
    this.#fields = plan.fields
  }

  /** Puts the value that was just parsed into the row. */
  keep(field: number): void {
    const slots = this.#slots
    slots.stamps[field] = slots.stamp
    const ids = this.#valueIds[field]
    if (ids !== undefined) slots.ids[field] = ids.getId(slots, field)
  }

  /** Puts the text `bytes[start, end)` into the row; its hash is used only if the field wants ids. */
  keepText(field: number, bytes: Uint8Array, start: number, end: number, hash: number): void {
    const slots = this.#slots
    slots.stamps[field] = slots.stamp
    const ids = this.#textIds[field]
    if (ids === undefined) return
    slots.ids[field] = ids.getIdOfBytes(bytes, start, end, hash)
    if (end - start > labelCharactersMax) slots.hasLongText = true
  }

  /** A number with an optional sign. */
  readNumber(start: number, field: number): number {
    const content = this.#content
    let i = start
    let byte = content[i]!
    const isNegative = byte === 0x2d
    if (isNegative || byte === 0x2b) byte = content[++i]!
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
    }
    if (digitCount === 0 || digitCount > digitsMax) return -1
    const slots = this.#slots
    slots.digits[field] = isNegative ? -digits : digits
    slots.scales[field] = scale
    return i
  }

  readBool(start: number, field: number): number {
    const content = this.#content
    const isTrue = content[start] === 0x74
    if (isTrue) {
      if (content[start + 1] !== 0x72 || content[start + 2] !== 0x75 || content[start + 3] !== 0x65) return -1
    } else if (content[start] !== 0x66 || content[start + 1] !== 0x61 || content[start + 2] !== 0x6c)
      return -1
    else if (content[start + 3] !== 0x73 || content[start + 4] !== 0x65) return -1
    this.#slots.digits[field] = isTrue ? 1 : 0
    return isTrue ? start + 4 : start + 5
  }

  /** A time with an offset, or a date alone. */
  readTimestamp(start: number, field: number): number {
    const content = this.#content
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

    let seconds: number
    let fraction = ''
    let i = start + 10
    const separator = content[i]!
    if (separator !== 0x54 && separator !== 0x74 && separator !== 0x20) {
      seconds = this.#fields[field]!.wantsValue ? this.#timeZone.toMidnight(this.#lastDay) : 0
      this.#slots.dateAlone = true
    } else {
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
    }
    this.#slots.seconds[field] = seconds
    this.#slots.fractions[field] = fraction
    return i
  }

  /** The number of two digits, or -1. */
  #pair(at: number): number {
    const tens = this.#content[at]! - 0x30
    const ones = this.#content[at + 1]! - 0x30
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1
  }
}
