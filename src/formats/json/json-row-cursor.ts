import { isUtf8 } from 'node:buffer'
import { FormatError } from '../documents/format-error.ts'
import type { RowCursor, RowValue } from '../documents/row-cursor.ts'
import { JsonError } from './json-error.ts'
import { JsonScanner } from './json-scanner.ts'
import { jsonText } from './json-text.ts'
import { ObjectCursor } from './object-cursor.ts'

const lineFeed = 0x0a
const openBrace = 0x7b
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c

/** Reads the members of objects that have been scanned. */
class RowMembers {
  readonly #bytes: Uint8Array
  readonly #members: ObjectCursor
  readonly #isUtf8: boolean

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#members = new ObjectCursor(bytes)
    this.#isUtf8 = isUtf8(bytes)
  }

  /** Of the object whose opening brace is at `at`. */
  read(at: number): Map<string, RowValue | null> {
    const values = new Map<string, RowValue | null>()
    const members = this.#members
    members.open(at)
    while (members.next()) {
      const { keyStart, keyEnd, valueStart, valueEnd } = members
      values.set(jsonText(this.#bytes, keyStart, keyEnd), this.#value(valueStart, valueEnd))
    }
    return values
  }

  #value(start: number, end: number): RowValue | null {
    const bytes = this.#bytes
    const first = bytes[start]
    if (first === 0x6e) return null
    return {
      text:
        first === 0x22
          ? jsonText(bytes, start, end)
          : Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString(),
      isNested: first === openBrace || first === openBracket,
      isBroken: !this.#isUtf8 && !isUtf8(bytes.subarray(start, end)),
    }
  }
}

/** The rows of one object, or of a list of objects. */
export class JsonRowCursor implements RowCursor {
  readonly line = null
  readonly strayCells = null
  readonly #bytes: Uint8Array
  readonly #scanner: JsonScanner
  readonly #members: RowMembers
  /** The brace of the current row. */
  #start = -1
  /** After the current row, or where the content begins. */
  #at: number
  readonly #isList: boolean

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#scanner = new JsonScanner(bytes)
    this.#members = new RowMembers(bytes)
    this.#at = this.#scanner.skipSpace(0)
    this.#isList = bytes[this.#at] === openBracket
  }

  next(): boolean {
    const scanner = this.#scanner
    const bytes = this.#bytes
    const isFirst = this.#start < 0
    let at = this.#at
    if (this.#isList) {
      at = scanner.skipSpace(isFirst ? at + 1 : at)
      if (bytes[at] === closeBracket) return this.#end(at + 1)
      if (!isFirst) {
        if (bytes[at] !== comma) throw new JsonError('syntax', at)
        at = scanner.skipSpace(at + 1)
      }
    } else if (!isFirst) return this.#end(at)
    this.#start = at
    this.#at = scanner.scanValue(at)
    if (bytes[at] !== openBrace) {
      throw new FormatError('no_rows', 'The content is neither an object nor a list of objects.')
    }
    return true
  }

  values(): Map<string, RowValue | null> {
    return this.#members.read(this.#start)
  }

  #end(at: number): false {
    const end = this.#scanner.skipSpace(at)
    if (end < this.#bytes.length) throw new JsonError('syntax', end)
    return false
  }
}

/** The rows of JSON lines: each line that is not blank is one object. */
export class JsonLineCursor implements RowCursor {
  line = 0
  readonly strayCells = null
  readonly #bytes: Uint8Array
  readonly #members: RowMembers
  readonly #scanner: JsonScanner
  #start = 0
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#members = new RowMembers(bytes)
    this.#scanner = new JsonScanner(bytes)
  }

  next(): boolean {
    const bytes = this.#bytes
    const scanner = this.#scanner
    while (this.#at < bytes.length) {
      this.line++
      const found = bytes.indexOf(lineFeed, this.#at)
      const lineEnd = found < 0 ? bytes.length : found
      const start = Math.min(scanner.skipSpace(this.#at), lineEnd)
      this.#at = lineEnd + 1
      if (start === lineEnd) continue
      const end = scanner.scanValue(start)
      if (bytes[start] !== openBrace) {
        throw new FormatError('no_rows', `Line ${this.line} is not a JSON object.`, this.line)
      }
      if (end > lineEnd || Math.min(scanner.skipSpace(end), lineEnd) < lineEnd) {
        throw new JsonError('syntax', Math.min(end, lineEnd))
      }
      this.#start = start
      return true
    }
    return false
  }

  values(): Map<string, RowValue | null> {
    return this.#members.read(this.#start)
  }
}
