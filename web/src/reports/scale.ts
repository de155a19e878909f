import { nice, ticks } from 'd3-array'
import { ratios } from '../decimals/decimal.ts'

/**
 * Where decimal strings of any length stand in a picture: as fractions of a power of ten, with six digits, which is finer
 * than any screen.
 */
export interface Scale {
  /** Fractions are of ten to this power. */
  exponent: number
  /** What the lowest and the highest place stand for, as fractions. */
  low: number
  high: number
  ticks: readonly { at: number; value: string }[]
}

/** Digits before the point of a value, less the zeros that follow it: 3 of 123.4, -2 of 0.0012. Undefined of zero. */
export function magnitudeOf(value: string): number | undefined {
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

/** Makes fractions of values. Null stays null. */
export function fractions(values: readonly (string | null)[], exponent: number): (number | null)[] {
  return ratios(values, powerOfTen(exponent))
}

/** The power of ten that is above all of some values; 0 where all are zero or there are none. */
export function exponentOf(values: Iterable<string | null>): number {
  let largest: number | undefined
  for (const value of values) {
    const magnitude = value === null ? undefined : magnitudeOf(value)
    if (magnitude !== undefined && (largest === undefined || magnitude > largest)) largest = magnitude
  }
  return largest ?? 0
}

const ticksAbout = 4

/** From the lowest to the highest fraction, with zero, widened to round ticks. */
export function scaleOf(fractionsShown: Iterable<number | null>, exponent: number): Scale {
  let [lowest, highest] = [0, 0]
  for (const at of fractionsShown) {
    if (at === null) continue
    lowest = Math.min(lowest, at)
    highest = Math.max(highest, at)
  }
  if (lowest === 0 && highest === 0) highest = 1
  const [low, high] = nice(lowest, highest, ticksAbout)
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
