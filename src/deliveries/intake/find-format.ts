import { JsonError } from '../../json/json-error.ts'
import { JsonScanner } from '../../json/json-scanner.ts'
import type { DeliveryFormat } from './delivery.ts'

/**
 * The format of a document whose source declares none, found from its first bytes that are not white space
 * [push.document]: SIE begins with `#FLAGGA`, JSON with a bracket or brace, and everything else is CSV. It is JSON
 * lines if the first line is one whole object and something follows it. `start` is after any byte order mark.
 */
export function findFormat(body: Uint8Array, start: number): DeliveryFormat {
  let at = start
  while (at < body.length && isSpace(body[at]!)) at++
  const first = body[at]
  if (first === 0x23 && beginsWith(body, at, '#FLAGGA')) return 'sie'
  if (first === 0x5b) return 'json'
  if (first !== 0x7b) return 'csv'
  return isFollowedObject(body, at) ? 'json_lines' : 'json'
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

function beginsWith(body: Uint8Array, at: number, word: string): boolean {
  for (let k = 0; k < word.length; k++) if (body[at + k] !== word.charCodeAt(k)) return false
  return true
}

function isFollowedObject(body: Uint8Array, at: number): boolean {
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
