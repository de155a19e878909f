import { checkJson } from '../../formats/json/check-json.ts'
import { FormatError } from '../../formats/documents/format-error.ts'
import { describeJsonError } from '../../formats/json/describe-json-error.ts'
import { JsonError } from '../../formats/json/json-error.ts'
import { JsonRowCursor } from '../../formats/json/json-row-cursor.ts'
import type { Plan } from '../parsing/plan/compile-plan.ts'
import { DeliveryAggregation } from '../parsing/aggregate/delivery-aggregation.ts'
import type { AggregateOptions, AggregateResult } from './aggregate-result.ts'
import type { DeclaredNames } from './declared-names.ts'
import { dropUndeclared, type KeptContent } from './drop-undeclared.ts'
import type { FormatDefinition } from './format-definition.ts'
import { isFollowedObject } from './json-lines.ts'
import { JsonRows } from './json-rows.ts'

/** One object, or a list of objects. */
export const json: FormatDefinition = {
  names: { en: 'JSON', sv: 'JSON' },
  fileName: 'rows.json',
  example:
    '[{"at":"2026-01-15T09:30:00+01:00","amount":"1249.50","country":"SE"},' +
    '{"at":"2026-01-15","amount":"-80.00","country":"SE"}]',
  isBegunBy: (body, at) => body[at] === 0x5b || (body[at] === 0x7b && !isFollowedObject(body, at)),
  webhookMediaType: 'application/json',
  encoding: null,
  fieldTypes: null,
  keepDeclared,
  aggregate,
  openRows: (content) => new JsonRowCursor(content),
}

function keepDeclared(body: Uint8Array, textStart: number, declared: DeclaredNames): KeptContent {
  const text = body.subarray(textStart)
  try {
    const { start, end } = checkJson(text)
    return dropUndeclared(text, start, end, declared, 'body')
  } catch (error) {
    if (error instanceof JsonError) throw new FormatError(error.fault, describeJsonError(error, text))
    throw error
  }
}

function aggregate(
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
