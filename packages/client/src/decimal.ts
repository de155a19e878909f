/** Digits of a number in a row, written out without exponent, and how many of them may follow the point. */
const rowDigitsMax = 38
const rowPlacesMax = 18

/** Bounds what an exponent is written out to. */
const digitsMax = 1000

const notation = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?$/

/**
 * An exact decimal: `units` × 10^-`scale`, with the smallest scale that holds it. Numbers of rows have at most 38 digits, 18 of them
 * decimals; what is read or computed here may have more, up to 1000, and is never rounded.
 */
export class Decimal {
  readonly units: bigint
  readonly scale: number

  private constructor(units: bigint, scale: number) {
    let [least, places] = [units, scale]
    while (places > 0 && least % 10n === 0n) {
      least /= 10n
      places--
    }
    this.units = least
    this.scale = places
    Object.freeze(this)
  }

  /**
   * Digits with an optional sign, point and exponent, as the service reads them; a whole number, or one with at most 15 digits.
   *
   * @throws RangeError for any other text or number
   */
  static from(value: string | number | bigint | Decimal): Decimal {
    if (value instanceof Decimal) return value
    if (typeof value === 'bigint') return new Decimal(value, 0)
    const text = typeof value === 'number' ? exactNumberText(value) : value
    const match = text === undefined ? null : notation.exec(text)
    const [, sign = '', whole = '', decimals = '', exponentText = '0'] = match ?? []
    if (match === null || whole + decimals === '') throw new RangeError(`${value} is not an exact decimal.`)
    const digits = `${whole}${decimals}`.replace(/^0+/, '')
    if (digits === '') return new Decimal(0n, 0)
    const scale = decimals.length - Number(exponentText)
    if (digits.length > digitsMax || Math.abs(scale) > digitsMax) {
      throw new RangeError(`${text?.slice(0, 50)} has too many digits.`)
    }
    const units = BigInt(`${sign === '-' ? '-' : ''}${digits}`)
    return scale < 0 ? new Decimal(units * 10n ** BigInt(-scale), 0) : new Decimal(units, scale)
  }

  add(other: Decimal | string | number | bigint): Decimal {
    const [left, right, scale] = this.#aligned(other)
    return new Decimal(left + right, scale)
  }

  subtract(other: Decimal | string | number | bigint): Decimal {
    const [left, right, scale] = this.#aligned(other)
    return new Decimal(left - right, scale)
  }

  multiply(other: Decimal | string | number | bigint): Decimal {
    const by = Decimal.from(other)
    return new Decimal(this.units * by.units, this.scale + by.scale)
  }

  /** -1, 0 or 1 as this is less than, equal to or more than the other. */
  compare(other: Decimal | string | number | bigint): -1 | 0 | 1 {
    const [left, right] = this.#aligned(other)
    return left < right ? -1 : left > right ? 1 : 0
  }

  equals(other: Decimal | string | number | bigint): boolean {
    return this.compare(other) === 0
  }

  /** Whether a row may have it: 38 digits, 18 of them decimals. */
  get fitsRow(): boolean {
    const digits = this.units.toString().replace('-', '').length
    return this.scale <= rowPlacesMax && Math.max(digits, this.scale) <= rowDigitsMax
  }

  /** Without exponent, without zeros at the end of the decimals, never `-0`. */
  toString(): string {
    if (this.scale === 0) return this.units.toString()
    const isNegative = this.units < 0n
    const digits = (isNegative ? -this.units : this.units).toString().padStart(this.scale + 1, '0')
    return `${isNegative ? '-' : ''}${digits.slice(0, -this.scale)}.${digits.slice(-this.scale)}`
  }

  toJSON(): string {
    return this.toString()
  }

  /** @throws RangeError where the nearest number has other digits */
  toNumber(): number {
    const number = Number(this.toString())
    const back = Number.isFinite(number) ? number.toString() : ''
    if (back === '' || !Decimal.from(back.replace('e+', 'e')).equals(this)) {
      throw new RangeError(`No number has exactly the digits of ${this.toString()}.`)
    }
    return number
  }

  /** As text in a template; `+` and `<` throw, since they would go through a float or through text. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.toString()
    throw new TypeError('Use add, subtract, multiply and compare with a Decimal.')
  }

  #aligned(value: Decimal | string | number | bigint): [bigint, bigint, number] {
    const other = Decimal.from(value)
    const scale = Math.max(this.scale, other.scale)
    const left = this.units * 10n ** BigInt(scale - this.scale)
    return [left, other.units * 10n ** BigInt(scale - other.scale), scale]
  }
}

/** The shortest text of a number, if it has at most 15 digits, which every float holds exactly; else undefined. */
export function exactNumberText(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined
  const text = value.toString().replace('e+', 'e')
  const digits = text.replace(/e.*/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')
  return digits.length <= 15 ? text : undefined
}
