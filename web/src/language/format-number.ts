import { absolute, getSign, isDecimal, padDecimals, percentChange, subtract } from '../decimals/decimal.ts'

/** The separator of thousands, a no-break space in Swedish, and the decimal mark. */
const marks = { en: { group: ',', point: '.' }, sv: { group: '\u00A0', point: ',' } } as const

function getMarks(language: string): { group: string; point: string } {
  return language === 'sv' ? marks.sv : marks.en
}

const minus = '\u2212'

/**
 * A value with all of its digits, grouped by thousands.
 *
 * @param value decimal string, as in the API; anything else is returned unchanged
 * @param sign adds a plus to positive values, for differences
 */
export function formatNumber(language: string, value: string, { sign = false } = {}): string {
  if (!isDecimal(value)) return value
  const { group, point } = getMarks(language)
  const [whole = '', decimals] = absolute(value).split('.', 2)
  const lead = value.startsWith('-') ? minus : sign && getSign(value) > 0 ? '+' : ''
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group)
  return `${lead}${grouped}${decimals === undefined ? '' : point + decimals}`
}

/** A metric's value: an amount of money with at least two decimals, since it is one without them too. */
export function formatFigure(language: string, value: string, unit: string, { sign = false } = {}): string {
  const padded = unit === 'SEK' && isDecimal(value) ? padDecimals(value, 2) : value
  return formatNumber(language, padded, { sign })
}

/** A count. */
export function formatCount(language: string, count: number): string {
  return formatNumber(language, String(Math.trunc(count)))
}

/** A percentage: 8.5% or 8,5 %. */
export function formatPercent(language: string, percent: string): string {
  return `${formatNumber(language, percent)}${language === 'sv' ? '\u00A0%' : '%'}`
}

export interface Change {
  direction: 'up' | 'down' | 'same'
  /** Without a sign, since an arrow or a word precedes it. */
  text: string
}

/**
 * How a value differs from its base: in per cent with one decimal; for a base of zero or
 * less, the difference itself.
 *
 * @returns undefined if one of the two is missing
 */
export function formatChange(
  language: string,
  value: string | null | undefined,
  base: string | null | undefined,
  unit = '',
): Change | undefined {
  if (value == null || base == null) return undefined
  const difference = subtract(value, base)
  const sign = getSign(difference)
  const percent = percentChange(value, base)
  return {
    direction: sign > 0 ? 'up' : sign < 0 ? 'down' : 'same',
    text:
      percent === undefined
        ? formatFigure(language, absolute(difference), unit)
        : formatPercent(language, absolute(percent)),
  }
}

const bytesPerStep = 1_000
const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB']

/** A size in bytes, with one decimal below ten of its unit. */
export function formatBytes(language: string, bytes: number): string {
  let unit = 0
  let size = bytes
  while (size >= bytesPerStep && unit < byteUnits.length - 1) {
    size /= bytesPerStep
    unit++
  }
  const text = unit > 0 && size < 10 ? size.toFixed(1) : String(Math.round(size))
  return `${formatNumber(language, text)}\u00A0${byteUnits[unit]}`
}
