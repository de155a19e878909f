import { JsonError } from './json-error.ts'
import { JsonScanner } from './json-scanner.ts'

export interface CheckedJson {
  /** The range of the value, without the white space around it. */
  start: number
  end: number
  /** Where the first string value with NUL or a lone surrogate begins, or -1. Legal; its row is refused when parsed. */
  oddTextAt: number
}

/** Checks that `bytes`, proven UTF-8, are one JSON value with nothing but white space around it. Throws `JsonError`. */
export function checkJson(bytes: Uint8Array): CheckedJson {
  const scanner = new JsonScanner(bytes)
  const start = scanner.skipSpace(0)
  const end = scanner.scanValue(start)
  const rest = scanner.skipSpace(end)
  if (rest < bytes.length) throw new JsonError('syntax', rest)
  return { start, end, oddTextAt: scanner.oddTextAt }
}
