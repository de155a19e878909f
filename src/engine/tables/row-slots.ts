import type { Decimal } from '../../formats/values/decimal.ts'

/**
 * The values of one row by field, in lists that every row reuses: nothing is allocated per row. A field has a value if
 * its stamp is the row's.
 */
export class RowSlots {
  /** The stamp of the current row; increases with every row. */
  stamp = 0
  /** Some timestamp of the row was a date alone. */
  dateAlone = false

  /** Some text of the row may be longer than a label may be. */
  hasLongText = false

  readonly stamps: Int32Array
  /** A number's digits, if they are a safe integer; its scale, or -1 if it is in `decimals`. A bool's 0 or 1. */
  readonly digits: Float64Array
  readonly scales: Int8Array
  readonly decimals: (Decimal | undefined)[]
  /** An instant: whole seconds and decimals of a second, as in `Instant`. */
  readonly seconds: Float64Array
  readonly fractions: string[]
  /** The value's id (`ValueIds`), if the plan distinguishes the field's values. */
  readonly ids: Int32Array

  constructor(fieldCount: number) {
    this.stamps = new Int32Array(fieldCount)
    this.digits = new Float64Array(fieldCount)
    this.scales = new Int8Array(fieldCount)
    this.decimals = Array.from({ length: fieldCount })
    this.seconds = new Float64Array(fieldCount)
    this.fractions = Array.from({ length: fieldCount }, () => '')
    this.ids = new Int32Array(fieldCount)
  }

  /** Clears all values. */
  clear(): void {
    this.stamp++
    this.dateAlone = false
    this.hasLongText = false
  }

  has(field: number): boolean {
    return this.stamps[field] === this.stamp
  }

  setNumber(field: number, number: Decimal): void {
    const { digits, scale } = number
    if (digits >= -maxSafe && digits <= maxSafe) {
      this.digits[field] = Number(digits)
      this.scales[field] = scale
    } else {
      this.decimals[field] = number
      this.scales[field] = -1
    }
  }

  /** A number as an exact decimal of any size. */
  decimal(field: number): Decimal {
    const scale = this.scales[field]!
    return scale < 0 ? this.decimals[field]! : { digits: BigInt(this.digits[field]!), scale }
  }
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER)
