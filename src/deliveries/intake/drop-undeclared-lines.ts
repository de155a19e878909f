import { describeJsonError } from '../../json/describe-json-error.ts'
import { JsonError } from '../../json/json-error.ts'
import { JsonScanner } from '../../json/json-scanner.ts'
import type { DeclaredNames } from './declared-names.ts'
import { DeliveryError } from './delivery-error.ts'
import type { KeptContent } from './drop-undeclared.ts'
import { UndeclaredMembers } from './undeclared-members.ts'

const lineFeed = 0x0a

/**
 * `dropUndeclared` for JSON lines: each line that is not blank is one object, and stays on its line. `body` is UTF-8,
 * the lines begin at `start`. Throws a `DeliveryError` that names the line if one is anything else.
 */
export function dropUndeclaredLines(body: Uint8Array, start: number, declared: DeclaredNames): KeptContent {
  const scanner = new JsonScanner(body)
  const undeclared = new UndeclaredMembers(body, declared)
  let line = 1
  for (let at = start; at < body.length; line++) {
    const found = body.indexOf(lineFeed, at)
    const lineEnd = found < 0 ? body.length : found
    let rowStart = at
    while (rowStart < lineEnd && isSpace(body[rowStart]!)) rowStart++
    if (rowStart < lineEnd) {
      if (body[rowStart] !== 0x7b) throw new DeliveryError(`Line ${line} is not a JSON object.`, 'body')
      checkRow(scanner, body, rowStart, lineEnd)
      undeclared.walkRow(rowStart)
    }
    at = lineEnd + 1
  }
  return { content: undeclared.kept(start, body.length), droppedKeys: undeclared.names() }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}

function checkRow(scanner: JsonScanner, body: Uint8Array, start: number, lineEnd: number): void {
  try {
    const end = scanner.scanValue(start)
    if (end > lineEnd || scanner.skipSpace(end) < lineEnd)
      throw new JsonError('syntax', Math.min(end, lineEnd))
  } catch (error) {
    if (error instanceof JsonError)
      throw new DeliveryError(describeJsonError(error, body.subarray(0, lineEnd)), 'body')
    throw error
  }
}
