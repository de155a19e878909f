import { isUtf8 } from 'node:buffer'
import { type Format, findFormat, formats } from '../../engine/formats/formats.ts'
import { checkJson } from '../../formats/json/check-json.ts'
import { jsonText } from '../../formats/json/json-text.ts'
import { ObjectCursor } from '../../formats/json/object-cursor.ts'
import { FormatError } from '../../formats/documents/format-error.ts'
import { warning, type ExampleWarning } from './warning.ts'

/** Encodings of documents of any format; a format may have one of its own. */
export const exampleEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

/** An example in the form of a delivery's content. */
export interface ExampleContent {
  /** UTF-8 without a byte order mark; SIE files are unchanged. */
  content: Uint8Array
  format: Format
  /** The encoding of the original. */
  encoding: string
  warnings: ExampleWarning[]
}

/**
 * Detects the encoding and the format of an example. Unlike a delivery, it need not be in UTF-8: a file of an old system is
 * read, with a warning that deliveries must be converted. The body of a push is replaced by its payload.
 *
 * @param format null to detect it from the first bytes
 * @throws FormatError if it is broken JSON, or a file of a spreadsheet program
 */
export function readExampleContent(bytes: Uint8Array, format: Format | null): ExampleContent {
  if (isOfProgram(bytes))
    throw new FormatError('spreadsheet', 'It is a spreadsheet or compressed; save it as CSV in UTF-8.')
  const warnings: ExampleWarning[] = []
  const decoded = decodeUtf16(bytes)
  let { content } = decoded
  let encoding: string = decoded.encoding
  const found = format ?? findFormat(content, 0)
  if (!isUtf8(content)) {
    const own = formats[found].encoding
    // Windows-1252 differs from Latin-1 only between 0x80 and 0x9f.
    encoding = own ?? 'windows-1252'
    if (own === null) content = decodeAs('windows-1252', content)
  }
  if (encoding !== 'utf-8' && encoding !== formats[found].encoding)
    warnings.push(warning('not_utf8', { value: encoding }))
  if (found === 'json') {
    const payload = findPayload(content)
    if (payload !== undefined) {
      warnings.push(warning('envelope'))
      return { content: payload, format: found, encoding, warnings }
    }
  }
  return { content, format: found, encoding, warnings }
}

/** Magic numbers of files that people upload in place of CSV: ZIP (such as Excel), the older compound file, PDF, gzip. */
const beginnings = ['504b0304', 'd0cf11e0a1b11ae1', '25504446', '1f8b08'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

function isOfProgram(bytes: Uint8Array): boolean {
  return beginnings.some((beginning) => beginning.equals(bytes.subarray(0, beginning.length)))
}

/**
 * Removes a byte order mark, and converts UTF-16 to UTF-8: recognised by its mark, or by a zero next to its first
 * character.
 */
function decodeUtf16(bytes: Uint8Array): { content: Uint8Array; encoding: string } {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return { content: bytes.subarray(3), encoding: 'utf-8' }
  }
  if ((first === 0xff && second === 0xfe) || (second === 0 && first !== 0 && first !== undefined)) {
    return { content: decodeAs('utf-16le', bytes), encoding: 'utf-16le' }
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined)) {
    return { content: decodeAs('utf-16be', bytes), encoding: 'utf-16be' }
  }
  return { content: bytes, encoding: 'utf-8' }
}

/** The byte order mark is not part of the text. */
function decodeAs(encoding: (typeof exampleEncodings)[number], bytes: Uint8Array): Uint8Array {
  return Buffer.from(new TextDecoder(encoding).decode(bytes))
}

/** The payload of a push's body; undefined for anything else. */
function findPayload(content: Uint8Array): Uint8Array | undefined {
  const { start } = checkJson(content)
  if (content[start] !== 0x7b) return undefined
  const members = new ObjectCursor(content)
  let payload: Uint8Array | undefined
  let isEnvelope = false
  members.open(start)
  while (members.next()) {
    const key = jsonText(content, members.keyStart, members.keyEnd)
    if (key === 'idempotency_key') isEnvelope = true
    // An object, or a list.
    const first = content[members.valueStart]
    if (key === 'payload' && (first === 0x7b || first === 0x5b)) {
      payload = content.subarray(members.valueStart, members.valueEnd)
    }
  }
  return isEnvelope ? payload : undefined
}
