/**
 * Values as the API gives them: decimal strings of any length, such as `-54774.00`. All arithmetic is on scaled integers, so
 * that no digit is lost; a `number` comes of it only where a picture needs a place.
 */

interface Scaled {
  /** The value without its point. */
  units: bigint
  /** Digits after the point. */
  scale: number
}

const form = /^-?\d+(?:\.\d+)?$/

/** Whether a text is a plain decimal number. */
export function isDecimal(text: string): boolean {
  return form.test(text)
}

/** @throws SyntaxError for what is no plain decimal number */
function parse(value: string): Scaled {
  if (!isDecimal(value)) throw new SyntaxError(`no decimal number: ${value}`)
  const point = value.indexOf('.')
  if (point < 0) return { units: BigInt(value), scale: 0 }
  return { units: BigInt(value.slice(0, point) + value.slice(point + 1)), scale: value.length - point - 1 }
}

/** Both on the larger of their scales. */
function align(a: string, b: string): { a: bigint; b: bigint; scale: number } {
  const [left, right] = [parse(a), parse(b)]
  const scale = Math.max(left.scale, right.scale)
  return {
    a: left.units * 10n ** BigInt(scale - left.scale),
    b: right.units * 10n ** BigInt(scale - right.scale),
    scale,
  }
}

function write(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The exact sum, with as many decimals as the longer one has. */
export function add(a: string, b: string): string {
  const { a: left, b: right, scale } = align(a, b)
  return write(left + right, scale)
}

/** The exact difference, with as many decimals as the longer one has. */
export function subtract(a: string, b: string): string {
  const { a: left, b: right, scale } = align(a, b)
  return write(left - right, scale)
}

/** Below 0 where `a` is less, above where it is more: for sorting. */
export function compare(a: string, b: string): number {
  const { a: left, b: right } = align(a, b)
  return left < right ? -1 : left > right ? 1 : 0
}

/** -1, 0 or 1. */
export function getSign(value: string): number {
  return compare(value, '0')
}

/** The value without its sign. */
export function absolute(value: string): string {
  return value.startsWith('-') ? value.slice(1) : value
}

/** Halves are rounded away from zero, as people do. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n
  const [n, d] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator]
  const quotient = (2n * n + d) / (2n * d)
  return isNegative ? -quotient : quotient
}

/**
 * How much `value` differs from `base` in per cent of it, rounded to one decimal once.
 *
 * @returns undefined where the base is zero or less, of which a share says nothing
 */
export function percentChange(value: string, base: string): string | undefined {
  const { a, b } = align(value, base)
  if (b <= 0n) return undefined
  return write(divideRounded((a - b) * 1_000n, b), 1)
}

/** How much `part` is of `whole` in per cent, rounded to one decimal once; undefined of zero. */
export function percentOf(part: string, whole: string): string | undefined {
  const { a, b } = align(part, whole)
  return b === 0n ? undefined : write(divideRounded(a * 1_000n, b), 1)
}

/** The value with at least so many decimals; further ones stay. */
export function padDecimals(value: string, decimals: number): string {
  const [whole = '', fraction = ''] = value.split('.')
  return `${whole}${decimals + fraction.length === 0 ? '' : `.${fraction.padEnd(decimals, '0')}`}`
}

/** Steps that a picture divides a length into: finer than any screen. */
const steps = 1_000_000n

/**
 * Each part of `whole` as a fraction, for places in a picture and nothing else; null stays null, and every part of nothing is
 * 0.
 */
export function ratios(parts: readonly (string | null)[], whole: string): (number | null)[] {
  const { units, scale } = parse(whole)
  if (units === 0n) return parts.map((part) => (part === null ? null : 0))
  // Of one column most have as many decimals.
  const wholes = new Map<number, bigint>()
  return parts.map((part) => {
    if (part === null) return null
    const { units: own, scale: ownScale } = parse(part)
    const numerator = own * steps * (ownScale < scale ? 10n ** BigInt(scale - ownScale) : 1n)
    let denominator = wholes.get(ownScale)
    if (denominator === undefined) {
      denominator = ownScale > scale ? units * 10n ** BigInt(ownScale - scale) : units
      wholes.set(ownScale, denominator)
    }
    return Number(divideRounded(numerator, denominator)) / Number(steps)
  })
}

/** `part` of `whole` as a fraction, see {@link ratios}. */
export function ratio(part: string, whole: string): number {
  return ratios([part], whole)[0]!
}
