/**
 * Swedish personal identity numbers and coordination numbers. They are never stored: a member is found by an HMAC
 * (`personal-number-mac.ts`), and none is ever written to a log.
 */
import { passesLuhn } from './luhn.ts'

const pattern = /^(\d{2})?(\d{2})(\d{2})(\d{2})([-+]?)(\d{4})$/

/** A coordination number is the day of birth plus sixty. */
const coordinationDays = 60

function isRealDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/**
 * Parses `YYYYMMDDNNNN`, `YYYYMMDD-NNNN`, `YYMMDD-NNNN` (under a hundred years old) and `YYMMDD+NNNN` (a hundred or
 * more, by the year). Ten digits without a century are not accepted.
 *
 * @param at the instant that the short forms' century is counted from; a birth year ahead of it is refused
 * @returns twelve digits, or undefined when the text is no such number (form, real day, check digit)
 */
export function parsePersonalNumber(text: string, at: Date): string | undefined {
  const parts = pattern.exec(text.trim())
  if (parts === null) return undefined
  const [, centuryText, yy = '', mm = '', dd = '', sign = '', serial = ''] = parts
  const thisYear = at.getUTCFullYear()
  let year: number
  if (centuryText === undefined) {
    if (sign === '') return undefined
    const latest = sign === '+' ? thisYear - 100 : thisYear
    year = latest - ((((latest - Number(yy)) % 100) + 100) % 100)
  } else {
    if (sign === '+') return undefined
    year = Number(centuryText) * 100 + Number(yy)
  }
  if (year < 1800 || year > thisYear) return undefined
  const day = Number(dd)
  if (!isRealDay(year, Number(mm), day > coordinationDays ? day - coordinationDays : day)) return undefined
  if (!passesLuhn(`${yy}${mm}${dd}${serial}`)) return undefined
  return `${year}${mm}${dd}${serial}`
}
