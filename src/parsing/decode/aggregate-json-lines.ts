import { JsonError } from '../../json/json-error.ts'
import type { Plan } from '../plan/compile-plan.ts'
import { DeliveryAggregation } from '../aggregate/delivery-aggregation.ts'
import type { AggregateOptions, AggregateResult } from './aggregate-result.ts'
import { JsonRows } from './json-rows.ts'

const lineFeed = 0x0a

/** Aggregates JSON lines: each line that is not blank is one object. Throws a `JsonError` if it is not JSON. */
export function aggregateJsonLines(
  plan: Plan,
  content: Uint8Array,
  { fast, lastUsualDay }: AggregateOptions,
): AggregateResult {
  let line = 0
  const aggregation = new DeliveryAggregation(plan, content.length, lastUsualDay, () => line)
  const rows = new JsonRows(plan, content, aggregation, fast)
  for (let at = 0; at < content.length;) {
    line++
    const found = content.indexOf(lineFeed, at)
    const lineEnd = found < 0 ? content.length : found
    const start = skipSpace(content, at, lineEnd)
    if (start < lineEnd) {
      if (content[start] !== 0x7b) {
        rows.scanner.scanValue(start)
        return { state: 'unreadable', reason: `Line ${line} is not a JSON object.` }
      }
      const end = rows.add(start)
      // Whoever parses line by line finds no object where one continues beyond its line.
      if (end > lineEnd || skipSpace(content, end, lineEnd) < lineEnd)
        throw new JsonError('syntax', Math.min(end, lineEnd))
    }
    at = lineEnd + 1
  }
  return aggregation.result()
}

/** The position of the first byte from `at` on that is not white space, or `end`. */
function skipSpace(content: Uint8Array, at: number, end: number): number {
  let i = at
  while (i < end && (content[i] === 0x20 || content[i] === 0x09 || content[i] === 0x0d)) i++
  return i
}
