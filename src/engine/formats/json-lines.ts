import { FormatError } from '../../formats/documents/format-error.ts'
import { describeJsonError } from '../../formats/json/describe-json-error.ts'
import { JsonError } from '../../formats/json/json-error.ts'
import { JsonLineCursor } from '../../formats/json/json-row-cursor.ts'
import { JsonScanner } from '../../formats/json/json-scanner.ts'
import type { Plan } from '../parsing/plan/compile-plan.ts'
import { DeliveryAggregation } from '../parsing/aggregate/delivery-aggregation.ts'
import type { AggregateOptions, AggregateResult } from './aggregate-result.ts'
import type { DeclaredNames } from './declared-names.ts'
import type { KeptContent } from './drop-undeclared.ts'
import type { FormatDefinition } from './format-definition.ts'
import { JsonRows } from './json-rows.ts'
import { UndeclaredMembers } from './undeclared-members.ts'

const lineFeed = 0x0a

/** Each line that is not blank is one object. */
export const jsonLines: FormatDefinition = {
  names: { en: 'JSON lines', sv: 'JSON-rader' },
  fileName: 'rows.jsonl',
  example:
    '{"at":"2026-01-15T09:30:00+01:00","amount":"1249.50","country":"SE"}\n' +
    '{"at":"2026-01-15","amount":"-80.00","country":"SE"}\n',
  isBegunBy: (body, at) => body[at] === 0x7b && isFollowedObject(body, at),
  webhookMediaType: null,
  encoding: null,
  fieldTypes: null,
  keepDeclared,
  aggregate,
  openRows: (content) => new JsonLineCursor(content),
}

/** Whether the line at `at` is one whole object, and something follows it. */
export function isFollowedObject(body: Uint8Array, at: number): boolean {
  const lineEnd = body.indexOf(0x0a, at)
  if (lineEnd < 0) return false
  const scanner = new JsonScanner(body, lineEnd)
  try {
    if (scanner.skipSpace(scanner.scanValue(at)) < lineEnd) return false
  } catch (error) {
    if (error instanceof JsonError) return false
    throw error
  }
  return new JsonScanner(body).skipSpace(lineEnd) < body.length
}

/** Rows stay on their lines. */
function keepDeclared(body: Uint8Array, start: number, declared: DeclaredNames): KeptContent {
  const scanner = new JsonScanner(body)
  const undeclared = new UndeclaredMembers(body, declared)
  let line = 1
  for (let at = start; at < body.length; line++) {
    const found = body.indexOf(lineFeed, at)
    const lineEnd = found < 0 ? body.length : found
    const rowStart = skipSpace(body, at, lineEnd)
    if (rowStart < lineEnd) {
      if (body[rowStart] !== 0x7b)
        throw new FormatError('no_rows', `Line ${line} is not a JSON object.`, line)
      checkRow(scanner, body, rowStart, lineEnd)
      undeclared.walkRow(rowStart)
    }
    at = lineEnd + 1
  }
  return { content: undeclared.kept(start, body.length), droppedKeys: undeclared.names() }
}

function checkRow(scanner: JsonScanner, body: Uint8Array, start: number, lineEnd: number): void {
  try {
    const end = scanner.scanValue(start)
    if (end > lineEnd || scanner.skipSpace(end) < lineEnd)
      throw new JsonError('syntax', Math.min(end, lineEnd))
  } catch (error) {
    if (error instanceof JsonError)
      throw new FormatError(error.fault, describeJsonError(error, body.subarray(0, lineEnd)))
    throw error
  }
}

function aggregate(
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
      // A parser that goes line by line finds no object where one spans several lines.
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
