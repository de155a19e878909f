import type { Decimal } from '../../values/decimal.ts'

/**
 * The values of one row by field, in lists that serve every row: nothing is allocated per row. A field's value is
 * there when its stamp is the row's.
 */
export class RowSlots {
  /** Stamps the values of the current row; counts up with every reading of a row. */
  stamp = 0
  /** A timestamp of the row, whichever, was a date alone. */
  dateAlone = false

  readonly stamps: Int32Array
  /** A number's digits where they fit a safe integer; its decimals, or -1 where it is in `decimals`. A bool's 0 or 1. */
  readonly digits: Float64Array
  readonly scales: Int8Array
  readonly decimals: (Decimal | undefined)[]
  /** An instant: whole seconds and decimals of a second, as in `Instant`. */
  readonly seconds: Float64Array
  readonly fractions: string[]
  /** The number that the value has among all values of its field, where the plan wants to tell them apart. */
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

  /** Forgets all values. */
  clear(): void {
    this.stamp++
    this.dateAlone = false
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

  /** A number, in exact arithmetic whatever its size. */
  decimal(field: number): Decimal {
    const scale = this.scales[field]!
    return scale < 0 ? this.decimals[field]! : { digits: BigInt(this.digits[field]!), scale }
  }
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER)
