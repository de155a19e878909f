import { isUtf8 } from 'node:buffer'
import { CsvError } from '../../csv/csv-error.ts'
import type { DeliveryForm } from '../../deliveries/intake/delivery.ts'
import { JsonError } from '../../json/json-error.ts'
import { SieError } from '../../sie/sie-error.ts'
import type { Plan } from '../plan/compile-plan.ts'
import { foldCsv } from './aggregate-csv.ts'
import { foldJson } from './aggregate-json.ts'
import { foldJsonLines } from './aggregate-json-lines.ts'
import type { FoldResult } from './aggregate-result.ts'
import { foldSie } from './aggregate-sie.ts'

const folds = { json: foldJson, json_lines: foldJsonLines, csv: foldCsv, sie: foldSie }

/**
 * Reads stored content into contributions to the cells of the plan's metrics. Never throws for anything the content
 * holds. Keys and columns that are not declared are passed over.
 *
 * `fast: false` takes the general way for every row; what comes out is the same.
 */
export function foldDelivery(
  plan: Plan,
  content: Uint8Array,
  form: DeliveryForm = 'json',
  { fast = true } = {},
): FoldResult {
  // SIE has an encoding of its own.
  if (form !== 'sie' && !isUtf8(content)) return { state: 'unreadable', reason: 'The content is not UTF-8.' }
  try {
    return folds[form](plan, content, fast)
  } catch (error) {
    if (error instanceof JsonError || error instanceof CsvError || error instanceof SieError) {
      return { state: 'unreadable', reason: error.message }
    }
    throw error
  }
}
