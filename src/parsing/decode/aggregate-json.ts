import { JsonError } from '../../json/json-error.ts'
import type { Plan } from '../plan/compile-plan.ts'
import { DeliveryAggregation } from '../aggregate/delivery-aggregation.ts'
import type { AggregateOptions, AggregateResult } from './aggregate-result.ts'
import { JsonRows } from './json-rows.ts'

/** Aggregates one object, or a list of objects. Throws a `JsonError` if it is not JSON. */
export function aggregateJson(
  plan: Plan,
  content: Uint8Array,
  { fast, lastUsualDay }: AggregateOptions,
): AggregateResult {
  const aggregation = new DeliveryAggregation(plan, content.length, lastUsualDay)
  const rows = new JsonRows(plan, content, aggregation, fast)
  const { scanner } = rows
  let i = scanner.skipSpace(0)
  if (content[i] === 0x7b) i = rows.add(i)
  else if (content[i] === 0x5b) {
    i = scanner.skipSpace(i + 1)
    if (content[i] === 0x5d) i++
    else {
      for (;;) {
        if (content[i] !== 0x7b) return noRow(rows, i)
        i = rows.add(i)
        if (content[i] !== 0x2c) i = scanner.skipSpace(i)
        if (content[i] === 0x5d) break
        if (content[i] !== 0x2c) throw new JsonError('syntax', i)
        i++
        if (content[i] !== 0x7b) i = scanner.skipSpace(i)
      }
      i++
    }
  } else return noRow(rows, i)
  i = scanner.skipSpace(i)
  if (i < content.length) throw new JsonError('syntax', i)
  return aggregation.result()
}

/** The result for something at `at` that is not a row: broken JSON, or JSON other than rows. */
function noRow({ scanner }: JsonRows, at: number): AggregateResult {
  scanner.scanValue(at)
  return { state: 'unreadable', reason: 'The content is neither an object nor a list of objects.' }
}
