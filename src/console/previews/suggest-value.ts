import { type FieldType, readFieldValue } from '../../engine/fields/field-value.ts'
import type { TimeZone } from '../../formats/values/time-zone.ts'

/**
 * Corrects a value that does not fit its field's type, if its meaning is unambiguous: `1 249,00` becomes `1249.00`, and a
 * time without an offset gets that of the company's zone. Undefined if it is ambiguous, such as `1,249`, or has no such
 * meaning.
 */
export function suggestValue(type: FieldType, text: string, zone: TimeZone): string | undefined {
  // Nothing longer is a number or a time.
  if (text.length > 60) return undefined
  const suggested = suggest(type, text.trim(), zone)
  if (suggested === undefined || suggested === text || suggested === '') return undefined
  return typeof readFieldValue(type, suggested, zone) === 'string' ? undefined : suggested
}

function suggest(type: FieldType, text: string, zone: TimeZone): string | undefined {
  switch (type) {
    case 'number':
      return suggestNumber(text)
    case 'timestamp':
      return suggestTimestamp(text, zone)
    case 'bool':
      return bools.get(text.toLowerCase())
    case 'text':
      return undefined
  }
}

const bools = new Map([
  ['yes', 'true'],
  ['ja', 'true'],
  ['sant', 'true'],
  ['no', 'false'],
  ['nej', 'false'],
  ['falskt', 'false'],
])

/** A sign, groups of three separated by spaces, points, commas or apostrophes, and decimals; optionally with a currency. */
function suggestNumber(text: string): string | undefined {
  const bare = text
    .replace(/^(?:SEK|EUR|USD|€|\$|£)\s*/iu, '')
    .replace(/\s*(?:SEK|EUR|USD|kr|:-|€|\$|£)$/iu, '')
    // The minus sign, and dashes that are typed in place of it.
    .replace(/^[\u2212\u2012\u2013]\s*/u, '-')
  const sign = /^[+-]/.test(bare) ? bare[0]! : ''
  const digits = bare.slice(sign.length)
  if (isAmbiguous(digits)) return undefined
  const found = writings.find(({ pattern }) => pattern.test(digits))
  return found && sign + digits.replaceAll(found.group, '').replace(found.point, '.')
}

/** A number with its group and decimal separators. No-break and narrow spaces count as spaces. */
const writings = [
  [String.raw`[\s\u00a0\u202f]`, ','],
  [String.raw`[\s\u00a0\u202f]`, String.raw`\.`],
  [String.raw`\.`, ','],
  [',', String.raw`\.`],
  ["[\u2019']", String.raw`\.`],
].map(([group, point]) => ({
  pattern: new RegExp(`^(?:\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:${point}\\d+)?$`, 'u'),
  group: new RegExp(group!, 'gu'),
  point: new RegExp(point!, 'u'),
}))

/** One point or comma followed by three digits: thousands, or decimals. */
function isAmbiguous(digits: string): boolean {
  return /^\d{1,3}[.,]\d{3}$/.test(digits)
}

const localPattern =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?$/
const digitsPattern = /^(\d{4})(\d{2})(\d{2})$/

/** Only dates that begin with the year: the month of `03/04/2026` is ambiguous. */
function suggestTimestamp(text: string, zone: TimeZone): string | undefined {
  const match = localPattern.exec(text) ?? digitsPattern.exec(text)
  if (match === null) return undefined
  const [, year = '', month = '', dayOfMonth = '', hour, minute = '', second = '00', fraction] = match
  const date = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  if (hour === undefined) return date
  const local = `${date}T${hour.padStart(2, '0')}:${minute}:${second}`
  try {
    const { offset } = Temporal.PlainDateTime.from(local).toZonedDateTime(zone.name)
    // Historical offsets may have seconds, which RFC 3339 cannot express.
    return `${local}${fraction === undefined ? '' : `.${fraction}`}${offset.slice(0, 6)}`
  } catch (error) {
    // There is no such day or time.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
