import type { Comparison } from '../../declarations/declaration.ts'
import { byCodePoint } from '../../../formats/values/by-code-point.ts'
import type { PlanFilter } from '../plan/compile-plan.ts'
import { compareDecimals } from '../../../formats/values/decimal.ts'
import { canonicalValue, type FieldValue } from '../../fields/field-value.ts'
import type { RowSlots } from '../../tables/row-slots.ts'
import { compareSmall } from '../../../formats/values/small-decimal.ts'
import { compareInstants } from '../../../formats/values/timestamp.ts'
import type { ValueIds } from '../../tables/value-ids.ts'

/**
 * One filter of a metric. Numbers compare by size, timestamps as instants, text by code points; false is before true.
 * A missing value passes only `≠`.
 */
export class RowFilter {
  readonly #filter: PlanFilter
  readonly #ids: ValueIds | undefined
  /** For text, bool and `in`, by the value's id: 0 not known yet, 1 passes, 2 does not. */
  #verdicts = new Uint8Array(16)
  /** For `in`: the canonical texts of its values, which may be a thousand. */
  readonly #members: Set<string> | undefined
  /** For numbers: the digits and scales of the values to compare with, if the digits are safe integers. */
  readonly #small: { digits: number; scale: number }[] | undefined

  constructor(filter: PlanFilter, ids: ValueIds | undefined) {
    this.#filter = filter
    this.#ids = ids
    if (filter.comparison === 'in') {
      this.#members = new Set(filter.values.map(canonicalValue))
    }
    const numbers = filter.values.flatMap((value) => (value.type === 'number' ? [value.number] : []))
    if (numbers.every(({ digits }) => Number.isSafeInteger(Number(digits)))) {
      this.#small = numbers.map(({ digits, scale }) => ({ digits: Number(digits), scale }))
    }
  }

  passes(slots: RowSlots): boolean {
    const { field, comparison, values } = this.#filter
    if (field < 0 || !slots.has(field)) return comparison === '≠'
    if (this.#members !== undefined) return this.#passesId(slots.ids[field]!)
    switch (values[0]!.type) {
      case 'number':
        return this.#passesNumber(slots, field, comparison)
      case 'timestamp': {
        const instant = { seconds: slots.seconds[field]!, fraction: slots.fractions[field]! }
        return someHolds(values, comparison, (value) => {
          return value.type === 'timestamp' ? compareInstants(instant, value.instant) : NaN
        })
      }
      default:
        return this.#passesId(slots.ids[field]!)
    }
  }

  #passesNumber(slots: RowSlots, field: number, comparison: Comparison): boolean {
    const scale = slots.scales[field]!
    const small = this.#small
    if (scale >= 0 && small !== undefined) {
      const digits = slots.digits[field]!
      for (const other of small) {
        if (holds(comparison, compareSmall(digits, scale, other.digits, other.scale))) return true
      }
      return false
    }
    const number = slots.decimal(field)
    return someHolds(this.#filter.values, comparison, (value) => {
      return value.type === 'number' ? compareDecimals(number, value.number) : NaN
    })
  }

  #passesId(id: number): boolean {
    if (id >= this.#verdicts.length) {
      const wider = new Uint8Array(Math.max(id + 1, this.#verdicts.length * 2))
      wider.set(this.#verdicts)
      this.#verdicts = wider
    }
    const known = this.#verdicts[id]!
    if (known !== 0) return known === 1
    const passes = this.#passesText(this.#ids!.text(id))
    this.#verdicts[id] = passes ? 1 : 2
    return passes
  }

  #passesText(text: string): boolean {
    if (this.#members !== undefined) return this.#members.has(text)
    const { comparison, values } = this.#filter
    return someHolds(values, comparison, (value) => {
      // The words false and true sort like their values.
      if (value.type === 'bool') return byCodePoint(text, String(value.bool))
      return value.type === 'text' ? byCodePoint(text, value.text) : NaN
    })
  }
}

function someHolds(
  values: FieldValue[],
  comparison: Comparison,
  compare: (value: FieldValue) => number,
): boolean {
  return values.some((value) => holds(comparison, compare(value)))
}

function holds(comparison: Comparison, order: number): boolean {
  switch (comparison) {
    case '=':
    case 'in':
      return order === 0
    case '≠':
      return order !== 0
    case '<':
      return order < 0
    case '≤':
      return order <= 0
    case '>':
      return order > 0
    case '≥':
      return order >= 0
  }
}
