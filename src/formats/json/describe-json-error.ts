import type { JsonError } from './json-error.ts'

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** What is found at a place that is not JSON, and before it without white space. */
interface Place {
  bytes: Uint8Array
  at: number
  /** Up to 12 characters from there. */
  text: string
  /** The last byte before it that is no white space; undefined at the beginning. */
  before: number | undefined
}

/** In this order: the first that fits. No quotation mark nor backslash: an `error_description` may hold neither. */
const mistakes: [fits: (place: Place) => boolean, sentence: string][] = [
  [({ bytes, at }) => at >= bytes.length, 'it ends before it is complete'],
  [({ text }) => text.startsWith('\ufeff'), 'leave the byte order mark out'],
  [({ text }) => /^[‘’“”„«»]/.test(text), 'replace the typographic quotation marks with straight ones'],
  [({ text }) => /^['`]/.test(text), 'names and texts stand in double quotes'],
  [({ text, before }) => before === 0x2c && /^[\]}]/.test(text), 'a comma stands before a closing bracket'],
  [({ text }) => /^(?:\/[/*]|#)/.test(text), 'JSON has no comments'],
  [
    ({ text }) => /^-?(?:NaN|nan|Infinity|None|True|False|undefined)/.test(text),
    'JSON has true, false, null and finite numbers only',
  ],
  [({ text, before }) => text.startsWith('\\') && before !== undefined, 'a backslash stands where none may'],
  // oxlint-disable-next-line no-control-regex -- exactly these are searched for
  [({ text }) => /^[\0-\x1f]/.test(text), 'write line breaks and other control characters as escapes'],
  [
    ({ bytes, at, before }) => isDigit(bytes[at]) && before === 0x2c && isDigit(bytes[at - 2]),
    'decimals have a point, not a comma',
  ],
  [({ bytes, at }) => isDigit(bytes[at]) && bytes[at - 1] === 0x30, 'a number begins with a zero too many'],
  [({ text, before }) => before === undefined && text.startsWith('<'), 'it is XML or HTML'],
  [({ bytes, at }) => at === 1 && bytes[0] === 0x2d && bytes[1] === 0x2d, 'it is a form of several parts'],
  [
    ({ before }) => before === undefined,
    'it does not begin like JSON; curl sends a file with --data-binary @FILE',
  ],
  [
    ({ text, before }) => (before === 0x7b || before === 0x2c) && /^\w/.test(text),
    'names stand in double quotes',
  ],
  [
    ({ text, before }) => (before === 0x7d || before === 0x5d) && /^[[{]/.test(text),
    'a second value follows the first without a list around both',
  ],
  [
    ({ text, before }) => before !== 0x7b && before !== 0x3a && before !== 0x2c && text.startsWith('"'),
    'a comma is missing before it',
  ],
]

function placeAt(bytes: Uint8Array, at: number): Place {
  let last = at - 1
  while (last >= 0 && isSpace(bytes[last])) last--
  return {
    bytes,
    at,
    text: Buffer.from(bytes.subarray(at, at + 48))
      .toString()
      .replace(/^ +/, '')
      .slice(0, 12),
    before: bytes[last],
  }
}

/** Where a byte is, as an editor counts: lines and UTF-16 units from 1. */
function findPosition(bytes: Uint8Array, at: number): { line: number; column: number } {
  let line = 1
  let lineStart = 0
  for (let end = bytes.indexOf(0x0a); end >= 0 && end < at; end = bytes.indexOf(0x0a, lineStart)) {
    line++
    lineStart = end + 1
  }
  return { line, column: Buffer.from(bytes.subarray(lineStart, at)).toString().length + 1 }
}

/** One sentence: what is wrong with the JSON in `bytes`, where, and what was probably meant. Quotes nothing of it. */
export function describeJsonError(error: JsonError, bytes: Uint8Array): string {
  const { message, fault, offset } = error
  const { line, column } = findPosition(bytes, offset)
  const place = placeAt(bytes, offset)
  const mistake =
    fault === 'syntax'
      ? mistakes.find(([fits]) => fits(place))?.[1]
      : fault === 'duplicate_key'
        ? 'leave one of the two out'
        : undefined
  return `${message.slice(0, -1)} (line ${line}, column ${column})${mistake === undefined ? '' : `: ${mistake}`}.`
}
