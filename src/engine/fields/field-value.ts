import { isStorableText } from '../../formats/json/is-storable-text.ts'
import { type Decimal, type DecimalFault, formatDecimal, parseDecimal } from '../../formats/values/decimal.ts'
import type { TimeZone } from '../../formats/values/time-zone.ts'
import {
  formatInstant,
  type Instant,
  parseTimestamp,
  type TimestampFault,
} from '../../formats/values/timestamp.ts'

/** The types a field may have. */
export const fieldTypes = ['number', 'text', 'timestamp', 'bool'] as const
export type FieldType = (typeof fieldTypes)[number]

/** Characters of any value, counted as code points [parse.text]. */
export const valueCharactersMax = 10_000
/**
 * Characters of a label, counted as code points [fold.label]. A row with a longer value under a field that a metric is
 * grouped by is refused, whether or not the metric counts it.
 */
export const labelCharactersMax = 200
/** Bytes of a value, or of its canonical text, in UTF-8. */
export const valueBytesMax = 4 * valueCharactersMax

/** A value under its field's type. */
export type FieldValue =
  | { type: 'number'; number: Decimal }
  | { type: 'text'; text: string }
  | { type: 'bool'; bool: boolean }
  | { type: 'timestamp'; instant: Instant; dateAlone: boolean }

/** Why a value does not fit its field's type. Each is a code that its row may be refused with. */
export type FieldValueFault =
  | 'text_too_long'
  | 'text_not_storable'
  | `number_${DecimalFault}`
  | 'bool_malformed'
  | `timestamp_${TimestampFault}`

/**
 * Parses the value of a field of `type`. The text is not empty: that is a missing value. A bare date is midnight of
 * its day in `zone`. Returns the reason where the value does not fit.
 */
export function readFieldValue(
  type: FieldType,
  text: string,
  zone: Pick<TimeZone, 'toMidnight'>,
): FieldValue | FieldValueFault {
  if (text.length > valueCharactersMax && codePoints(text) > valueCharactersMax) return 'text_too_long'
  if (!isStorableText(text)) return 'text_not_storable'
  switch (type) {
    case 'text':
      return { type, text }
    case 'number': {
      const number = parseDecimal(text)
      if (typeof number === 'string') return `number_${number}`
      return { type, number }
    }
    case 'bool': {
      const lower = text.toLowerCase()
      if (lower !== 'true' && lower !== 'false') return 'bool_malformed'
      return { type, bool: lower === 'true' }
    }
    case 'timestamp': {
      const timestamp = parseTimestamp(text)
      if (typeof timestamp === 'string') return `timestamp_${timestamp}`
      if (timestamp.kind === 'instant') return { type, instant: timestamp.instant, dateAlone: false }
      return { type, instant: { seconds: zone.toMidnight(timestamp.day), fraction: '' }, dateAlone: true }
    }
  }
}

/** The one text for a value, used as a label and to distinguish values: 1.0 is 1, TRUE is true. */
export function canonicalValue(value: FieldValue): string {
  switch (value.type) {
    case 'text':
      return value.text
    case 'number':
      return formatDecimal(value.number)
    case 'bool':
      return value.bool ? 'true' : 'false'
    case 'timestamp':
      return formatInstant(value.instant)
  }
}

/** The number of characters of a text, counted without copying it. */
export function codePoints(text: string): number {
  let count = 0
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k)
    // The second half of a surrogate pair is not a character of its own.
    if (unit < 0xdc00 || unit > 0xdfff) count++
  }
  return count
}
