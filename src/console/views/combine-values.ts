import { addDecimals, formatDecimal, readDecimal } from '../../formats/values/decimal.ts'
import { writeOperand, type Line, type Operand } from './line-text.ts'

/** Decimals of a quotient, which is rounded half to even; the exact fraction stands beside it. */
export const quotientDecimals = 4

export const valueReasons = ['no_value', 'no_denominator', 'zero_denominator'] as const

/** A line in one period. */
export interface LineValue {
  /** A sum, exact; a quotient, rounded. */
  value: string | null
  /** The exact parts of a ratio. */
  numerator: string | null
  denominator: string | null
  /** Why there is no value. */
  reason: (typeof valueReasons)[number] | null
  /** The operands without a figure, where others of their sum have one. */
  missing: string[]
}

/** The figure of an operand in a period. */
type GetValue = (operand: Operand) => string | null

function addValues(values: readonly (string | null)[]): string | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : formatDecimal(known.map(readDecimal).reduce(addDecimals))
}

function absolute(digits: bigint): bigint {
  return digits < 0n ? -digits : digits
}

/** The quotient with {@link quotientDecimals}, rounded half to even. The denominator is not 0. */
export function divideValues(numerator: string, denominator: string): string {
  const [n, d] = [readDecimal(numerator), readDecimal(denominator)]
  const isNegative = n.digits < 0n !== d.digits < 0n
  const dividend = absolute(n.digits) * 10n ** BigInt(d.scale + quotientDecimals)
  const divisor = absolute(d.digits) * 10n ** BigInt(n.scale)
  const [whole, twice] = [dividend / divisor, (dividend % divisor) * 2n]
  const isUp = twice > divisor || (twice === divisor && whole % 2n === 1n)
  const units = isUp ? whole + 1n : whole
  const digits = units.toString().padStart(quotientDecimals + 1, '0')
  const sign = isNegative && units > 0n ? '-' : ''
  return `${sign}${digits.slice(0, -quotientDecimals)}.${digits.slice(-quotientDecimals)}`
}

function findMissing(sum: readonly Operand[], getValue: GetValue): string[] {
  const missing = sum.filter((operand) => getValue(operand) === null)
  return missing.length === sum.length ? [] : missing.map(writeOperand)
}

export function toLineValue({ numerator, denominator }: Line, getValue: GetValue): LineValue {
  const top = addValues(numerator.map(getValue))
  const missing = findMissing(numerator, getValue)
  if (denominator === null) {
    const reason = top === null ? 'no_value' : null
    return { value: top, numerator: null, denominator: null, reason, missing }
  }
  const bottom = addValues(denominator.map(getValue))
  missing.push(...findMissing(denominator, getValue))
  return { ...toRatio(top, bottom), missing: [...new Set(missing)] }
}

function toRatio(numerator: string | null, denominator: string | null): Omit<LineValue, 'missing'> {
  const parts = { numerator, denominator }
  if (numerator === null) return { ...parts, value: null, reason: 'no_value' }
  if (denominator === null) return { ...parts, value: null, reason: 'no_denominator' }
  if (denominator === '0') return { ...parts, value: null, reason: 'zero_denominator' }
  return { ...parts, value: divideValues(numerator, denominator), reason: null }
}

/** All periods together, where the parts add: of a ratio only those periods that have both parts. */
export function toTotal(
  { denominator }: Line,
  values: readonly LineValue[],
): LineValue & { periods: number } {
  const missing: string[] = []
  if (denominator === null) {
    const known = values.map(({ value }) => value).filter((value) => value !== null)
    const value = addValues(known)
    const reason = value === null ? 'no_value' : null
    return { value, numerator: null, denominator: null, reason, missing, periods: known.length }
  }
  const both = values.filter((each) => each.numerator !== null && each.denominator !== null)
  const ratio = toRatio(
    addValues(both.map((each) => each.numerator)),
    addValues(both.map((each) => each.denominator)),
  )
  return { ...ratio, missing, periods: both.length }
}
