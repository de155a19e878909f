import { sieRowFields, SieRows } from '../../sie/sie-rows.ts'
import type { Plan } from '../plan/compile-plan.ts'
import { DeliveryAggregation, type RawRow } from '../aggregate/delivery-aggregation.ts'
import type { AggregateOptions, AggregateResult } from './aggregate-result.ts'

/** Aggregates a SIE file of type 4 [push.document]: each #TRANS line is a row. Throws a `SieError` for a broken one. */
export function aggregateSie(
  plan: Plan,
  content: Uint8Array,
  { lastUsualDay }: AggregateOptions,
): AggregateResult {
  const rows = new SieRows(content)
  const aggregation = new DeliveryAggregation(plan, content.length, lastUsualDay, () => rows.line)
  const declared = sieRowFields.flatMap((name) => {
    const index = plan.fields.findIndex((field) => field.name === name)
    return index < 0 ? [] : [{ name, index }]
  })
  const row: RawRow = Array.from({ length: plan.fields.length })
  while (rows.next()) {
    for (const { name, index } of declared) row[index] = rows.text(name)
    aggregation.addRow(row)
  }
  return aggregation.result()
}
