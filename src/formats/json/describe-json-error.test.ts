import { expect, test } from 'vitest'
import { checkJson } from './check-json.ts'
import { describeJsonError } from './describe-json-error.ts'
import { JsonError } from './json-error.ts'

const toFault = (text: string): string => {
  const bytes = Buffer.from(text)
  try {
    checkJson(bytes)
  } catch (error) {
    if (error instanceof JsonError) return describeJsonError(error, bytes)
    throw error
  }
  return 'well-formed'
}

test.each([
  ['{"a":1,\n "b": tru}', 'byte 14 (line 2, column 7).'],
  ['{"å":"😀",\n\n"ä" 1}', 'byte 20 (line 3, column 5).'],
  ['{"a":"1"', 'byte 8 (line 1, column 9): it ends before it is complete.'],
  ['{"a":[1,2,]}', 'column 11): a comma stands before a closing bracket.'],
  ['{"a":1,\n}', '(line 2, column 1): a comma stands before a closing bracket.'],
  ["{'a':1}", 'names and texts stand in double quotes.'],
  ['{a:1}', 'names stand in double quotes.'],
  ['{“a”:1}', 'replace the typographic quotation marks with straight ones.'],
  ['{"a":1 // one\n}', 'JSON has no comments.'],
  ['{"a":NaN}', 'JSON has true, false, null and finite numbers only.'],
  ['{"a":None}', 'JSON has true, false, null and finite numbers only.'],
  ['{"a":1249,50}', 'decimals have a point, not a comma.'],
  ['{"a":01}', 'a number begins with a zero too many.'],
  ['{"a":"1\n2"}', 'write line breaks and other control characters as escapes.'],
  ['{"a":"C:\\x"}', 'a backslash stands where none may.'],
  ['{\\"a\\":1}', 'a backslash stands where none may.'],
  ['{"a":1 "b":2}', 'a comma is missing before it.'],
  ['{"a":1}\n{"a":2}', '(line 2, column 1): a second value follows the first without a list around both.'],
  ['rows.json', 'it does not begin like JSON; curl sends a file with --data-binary @FILE.'],
  ['<html>', 'it is XML or HTML.'],
  ['--boundary', 'it is a form of several parts.'],
  ['\ufeff{}', 'leave the byte order mark out.'],
])('%j: where it is malformed, and what was probably meant', (text, message) => {
  expect(toFault(text)).toContain(message)
})
