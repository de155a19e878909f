import { isUtf8 } from 'node:buffer'
import { CsvError } from '../../csv/csv-error.ts'
import type { DeliveryFormat } from '../../deliveries/intake/delivery.ts'
import { JsonError } from '../../json/json-error.ts'
import { SieError } from '../../sie/sie-error.ts'
import type { Plan } from '../plan/compile-plan.ts'
import { daysAheadMax } from '../plan/remarks.ts'
import { aggregateCsv } from './aggregate-csv.ts'
import { aggregateJson } from './aggregate-json.ts'
import { aggregateJsonLines } from './aggregate-json-lines.ts'
import type { AggregateResult } from './aggregate-result.ts'
import { aggregateSie } from './aggregate-sie.ts'

const aggregates = {
  json: aggregateJson,
  json_lines: aggregateJsonLines,
  csv: aggregateCsv,
  sie: aggregateSie,
}

/**
 * Parses stored content and aggregates it into the cells of the plan's metrics. Never throws, whatever the content
 * holds. Undeclared keys and columns are ignored.
 *
 * Rows dated far after `receivedAt` are remarked on. With `fast: false` every row takes the general path; the result is
 * the same.
 */
export function aggregateDelivery(
  plan: Plan,
  content: Uint8Array,
  format: DeliveryFormat = 'json',
  { fast = true, receivedAt }: { fast?: boolean; receivedAt?: Date } = {},
): AggregateResult {
  const lastUsualDay =
    receivedAt === undefined
      ? Infinity
      : plan.timeZone.dayOf(Math.floor(receivedAt.getTime() / 1_000)) + daysAheadMax
  // SIE has an encoding of its own.
  if (format !== 'sie' && !isUtf8(content))
    return { state: 'unreadable', reason: 'The content is not UTF-8.' }
  try {
    return aggregates[format](plan, content, { fast, lastUsualDay })
  } catch (error) {
    if (error instanceof JsonError || error instanceof CsvError || error instanceof SieError) {
      return { state: 'unreadable', reason: error.message }
    }
    throw error
  }
}
