import { isUtf8 } from 'node:buffer'
import { FormatError } from '../../../formats/documents/format-error.ts'
import type { AggregateResult } from '../../formats/aggregate-result.ts'
import { type Format, formats } from '../../formats/formats.ts'
import type { Plan } from '../plan/compile-plan.ts'
import { daysAheadMax } from '../plan/remarks.ts'

/**
 * Parses stored content and aggregates it into the cells of the plan's metrics. Content never makes it
 * throw. Undeclared keys and columns are ignored.
 *
 * Rows dated far after `receivedAt` are remarked on. With `fast: false` every row takes the general path; the result is
 * the same.
 */
export function aggregateDelivery(
  plan: Plan,
  content: Uint8Array,
  format: Format = 'json',
  { fast = true, receivedAt }: { fast?: boolean; receivedAt?: Date } = {},
): AggregateResult {
  const lastUsualDay =
    receivedAt === undefined
      ? Infinity
      : plan.timeZone.toDay(Math.floor(receivedAt.getTime() / 1_000)) + daysAheadMax
  const { encoding, aggregate } = formats[format]
  if (encoding === null && !isUtf8(content))
    return { state: 'unreadable', reason: 'The content is not UTF-8.' }
  try {
    return aggregate(plan, content, { fast, lastUsualDay })
  } catch (error) {
    if (error instanceof FormatError) return { state: 'unreadable', reason: error.message }
    throw error
  }
}
