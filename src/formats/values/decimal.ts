/**
 * Exact decimals: `digits` × 10^-`scale`. A parsed one has the smallest scale that holds its value, 0 at least.
 * Source: [parse.number].
 */
export interface Decimal {
  digits: bigint
  scale: number
}

/** Digits of a number written out without exponent, and how many of them may follow the point. */
export const decimalDigitsMax = 38
export const decimalPlacesMax = 18

const decimalZero: Decimal = { digits: 0n, scale: 0 }

const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)([0-9]+))?$/

/** An exponent of more digits moves the point further than any number that fits. */
const exponentDigitsMax = 9

export type DecimalFault = 'malformed' | 'too_long'

/**
 * Parses a number: digits with an optional sign and point (`.5` and `5.` are numbers), optionally an exponent.
 * Returns `malformed` for anything else, white space included, and `too_long` for one that does not fit.
 *
 * What fits is decided by the value, as it is shown: zeros in front and zeros at the end of the decimals do not
 * count, so `007.50` and `7.5` are the same in this too. An exponent is never expanded before it is known to fit;
 * zero fits with any.
 */
export function parseDecimal(text: string): Decimal | DecimalFault {
  const match = shape.exec(text)
  if (match === null) return 'malformed'
  const [, sign, whole = '', decimals = '', exponentSign, exponentText = '0'] = match
  if (whole === '' && decimals === '') return 'malformed'

  const written = whole + decimals
  let first = 0
  while (first < written.length && written.charCodeAt(first) === 0x30) first++
  if (first === written.length) return decimalZero
  let last = written.length
  while (written.charCodeAt(last - 1) === 0x30) last--

  let zeros = 0
  while (zeros < exponentText.length - 1 && exponentText.charCodeAt(zeros) === 0x30) zeros++
  if (exponentText.length - zeros > exponentDigitsMax) return 'too_long'
  const exponent = Number(exponentText) * (exponentSign === '-' ? -1 : 1)

  // The value is its digits from first to last, times 10^power.
  const power = exponent - decimals.length + (written.length - last)
  const places = power < 0 ? -power : 0
  const wholeDigits = Math.max(last - first + power, 0)
  if (places > decimalPlacesMax || wholeDigits + places > decimalDigitsMax) return 'too_long'
  let digits = BigInt(written.slice(first, last))
  if (power > 0) digits *= powerOfTen(power)
  return { digits: sign === '-' ? -digits : digits, scale: places }
}

const powers: bigint[] = [1n]

/** 10 to the power of `exponent`, which is 0 or more. */
function powerOfTen(exponent: number): bigint {
  for (let next = powers.length; next <= exponent; next++) powers.push(powers[next - 1]! * 10n)
  return powers[exponent]!
}

/** The digits of a decimal at a scale that is not smaller than its own. */
function digitsAt(decimal: Decimal, scale: number): bigint {
  return decimal.scale === scale ? decimal.digits : decimal.digits * powerOfTen(scale - decimal.scale)
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale }
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

/** Less than 0, 0 or more than 0 as `a` is less than, equal to or more than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const left = digitsAt(a, scale)
  const right = digitsAt(b, scale)
  return left < right ? -1 : left > right ? 1 : 0
}

/** Reads a decimal that `formatDecimal` wrote, of any length: sums grow beyond what a row may have. */
export function readDecimal(shown: string): Decimal {
  const point = shown.indexOf('.')
  if (point < 0) return { digits: BigInt(shown), scale: 0 }
  return { digits: BigInt(shown.slice(0, point) + shown.slice(point + 1)), scale: shown.length - point - 1 }
}

/** A decimal as shown: no exponent, no zeros at the end of its decimals, no `-0`. */
export function formatDecimal({ digits, scale }: Decimal): string {
  if (scale === 0) return digits.toString()
  const negative = digits < 0n
  const text = (negative ? -digits : digits).toString().padStart(scale + 1, '0')
  let end = text.length
  const point = text.length - scale
  while (end > point && text.charCodeAt(end - 1) === 0x30) end--
  const shown = end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`
  return negative ? `-${shown}` : shown
}
