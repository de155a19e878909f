import { nice, ticks } from 'd3-array'
import { ratios } from '../decimals/decimal.ts'

/** Places decimal strings of any length in a picture: as fractions of a power of ten with six digits, finer than any screen. */
export interface Scale {
  /** The power of ten. */
  exponent: number
  /** The fractions of the lowest and the highest place. */
  low: number
  high: number
  ticks: readonly { at: number; value: string }[]
}

/** Digits before the point of a value, less the zeros that follow it: 3 of 123.4, -2 of 0.0012. Undefined of zero. */
export function getMagnitude(value: string): number | undefined {
  const first = value.search(/[1-9]/)
  if (first < 0) return undefined
  const point = value.includes('.') ? value.indexOf('.') : value.length
  return first < point ? point - first : point + 1 - first
}

/** Ten to a power, written out. */
function powerOfTen(exponent: number): string {
  return exponent >= 0 ? `1${'0'.repeat(exponent)}` : `0.${'0'.repeat(-exponent - 1)}1`
}

/** A plain number with its point moved to the right, or to the left where `places` is negative. */
export function movePoint(value: string, places: number): string {
  const sign = value.startsWith('-') ? '-' : ''
  const [whole = '', decimals = ''] = value.replace('-', '').split('.')
  const left = '0'.repeat(Math.max(0, -places)) + whole
  const digits = left + decimals + '0'.repeat(Math.max(0, places - decimals.length))
  const point = left.length + places
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  const after = digits.slice(point).replace(/0+$/, '')
  return `${sign}${before}${after === '' ? '' : `.${after}`}`
}

/** Values as fractions; null stays null. */
export function toFractions(values: readonly (string | null)[], exponent: number): (number | null)[] {
  return ratios(values, powerOfTen(exponent))
}

/** The power of ten above all values; 0 where all are zero or there are none. */
export function getExponent(values: Iterable<string | null>): number {
  const magnitudes = [...values].flatMap((value) => (value === null ? [] : (getMagnitude(value) ?? [])))
  return magnitudes.length === 0 ? 0 : Math.max(...magnitudes)
}

const ticksAbout = 4

/** A scale from the lowest to the highest fraction, including zero, widened to round ticks. */
export function createScale(fractionsShown: Iterable<number | null>, exponent: number): Scale {
  const shown = [...fractionsShown].filter((at) => at !== null)
  const [lowest, highest] = [Math.min(0, ...shown), Math.max(0, ...shown)]
  const [low, high] = nice(lowest, lowest === 0 && highest === 0 ? 1 : highest, ticksAbout)
  return {
    exponent,
    low,
    high,
    ticks: ticks(low, high, ticksAbout).map((at) => ({
      at,
      value: movePoint(at.toFixed(6).replace(/^-(?=0\.0+$)/, ''), exponent),
    })),
  }
}
