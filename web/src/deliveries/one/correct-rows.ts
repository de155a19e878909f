import type { DeliveryRows } from '../delivery-queries.ts'
import { correctValue, getWholeText } from './correct-value.ts'
import { type CorrectedRow, fillIn } from './correction-command.ts'

/** Refused rows as they may be sent again. */
export interface Correction {
  rows: CorrectedRow[]
  /** How many values were corrected. */
  corrected: number
  /** Fields that a person has to fill in: masked ones, and those whose meaning is uncertain. */
  toFill: string[]
  /** Rows that are left out, since their values match no fields. */
  leftOut: number
}

/** Corrects what is certain. Masked, cut, broken and uncertain values are left for a person to fill in; none is guessed. */
export function correctRows(
  { fields, rows }: Pick<DeliveryRows, 'fields' | 'rows'>,
  timeZone: string,
): Correction {
  const refused = rows.filter(({ refusal }) => refusal !== null)
  const complete = refused.filter(({ values }) => values !== null)
  const toFill = new Set<string>()
  let corrected = 0
  const correctedRows = complete.map(({ values, refusal }) => {
    const row: CorrectedRow = {}
    for (const [at, { name }] of fields.entries()) {
      const value = values![at] ?? undefined
      const isRefused = refusal!.field === name
      if (value === undefined && !isRefused) continue
      const meant = isRefused ? correctValue(refusal!.code, value, timeZone) : undefined
      if (meant !== undefined) corrected++
      row[name] = meant ?? (isRefused ? undefined : getWholeText(value)) ?? fillIn
      if (row[name] === fillIn) toFill.add(name)
    }
    return row
  })
  return { rows: correctedRows, corrected, toFill: [...toFill], leftOut: refused.length - complete.length }
}
