/**
 * Organisation numbers, as [all.orgnr] has them: a company's is ten digits, Luhn over all ten, third
 * digit at least 2; a sole trader's is a personal identity number, kept as twelve digits.
 */
import { parsePersonalNumber } from './personal-number.ts'
import { passesLuhn } from './luhn.ts'

const companyPattern = /^(?:16)?(\d{6})-?(\d{4})$/

/**
 * Parses an organisation number as a person or a client writes it: `NNNNNN-NNNN`, ten digits, twelve with leading
 * `16`; for a sole trader twelve digits, or `YYMMDD+NNNN` (a hundred years old or more).
 *
 * Without `at` the century of the form with `+` is found from today's year, which only matters for people who turn
 * a hundred this year.
 *
 * @returns the digits that are stored (ten, or twelve for a sole trader), or undefined if it is not valid
 */
export function parseOrgnr(text: string, at: Date = new Date()): string | undefined {
  const company = companyPattern.exec(text)
  if (company !== null) {
    const digits = `${company[1]}${company[2]}`
    if (digits.charAt(2) >= '2' && passesLuhn(digits)) return digits
  }
  // The short form with a dash names no century: it is ten digits of a person, and would be kept as twelve.
  if (!/^\d{8}-?\d{4}$|^\d{6}\+\d{4}$/.test(text)) return undefined
  return parsePersonalNumber(text, at)
}

/** The form that is shown: `NNNNNN-NNNN`, or `YYYYMMDD-NNNN` for a sole trader. Takes the kept digits. */
export function formatOrgnr(digits: string): string {
  return `${digits.slice(0, -4)}-${digits.slice(-4)}`
}
