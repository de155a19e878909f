import type { DeliveryRows } from './delivery-queries.ts'
import { fillIn, type MendedRow } from './mended-command.ts'
import { mendValue } from './mend-value.ts'

/** Refused rows as they may be sent again, and what a person must know of them. */
export interface Mended {
  rows: MendedRow[]
  /** Values that were written as they were most likely meant. */
  mended: number
  /** Fields that a person has to fill in somewhere: masked ones, and what cannot be told. */
  toFill: string[]
  /** Rows that are left out, since their values do not stand under fields. */
  untold: number
}

/**
 * Mends what can be told. A masked value, one that is cut or broken, and one of which it cannot be told what was meant, is left
 * for a person to fill in: none is guessed.
 */
export function mendRows({ fields, rows }: Pick<DeliveryRows, 'fields' | 'rows'>, timeZone: string): Mended {
  const result: Mended = { rows: [], mended: 0, toFill: [], untold: 0 }
  const toFill = new Set<string>()
  for (const { values, refusal } of rows) {
    if (refusal === null) continue
    if (values === null) {
      result.untold++
      continue
    }
    const row: MendedRow = {}
    for (const [at, { name }] of fields.entries()) {
      const value = values[at] ?? null
      const isRefused = refusal.field === name
      if (value === null && !isRefused) continue
      const isWhole = value?.text !== undefined && value.characters === undefined && value.broken !== true
      const meant = isWhole && isRefused ? mendValue(refusal.code, value.text!, timeZone) : undefined
      if (meant !== undefined) result.mended++
      row[name] = meant ?? (isWhole && !isRefused ? value.text! : fillIn)
      if (row[name] === fillIn) toFill.add(name)
    }
    result.rows.push(row)
  }
  result.toFill = [...toFill]
  return result
}
