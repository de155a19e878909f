/*
 * The records of each format, as the service finds them. Source: [push.document], RFC 4180 and RFC 8259.
 */

/** A document's format. `object` is a single JSON object; it and SIE are never cut. */
export type DocumentFormat = 'csv' | 'json' | 'json_lines' | 'sie' | 'object'

/** Thrown for a document that is half written, broken or cannot be cut. `byte` is where, from 0. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile'
  readonly byte: number

  constructor(message: string, byte: number) {
    super(`${message} (byte ${byte})`)
    this.byte = byte
  }
}

/** Finds where records begin and end. Chunks come in sequence; `base` is where a chunk begins in the document. */
export interface Records {
  /** Around and between the records of a part. */
  readonly frame: { open: string; between: string; close: string }
  /** Where the next record begins, from `at` on; the chunk's length if not in it. */
  begin(chunk: Uint8Array, at: number, base: number): number
  /** Where the record that began ends, or -1 if not in this chunk. */
  end(chunk: Uint8Array, at: number, base: number): number
  /**
   * Checks a whole record, from `start` to `end` of `bytes`; says whether it is a row, the header row, or blank.
   *
   * @param firstByte where it begins in the document
   */
  check(
    bytes: Uint8Array,
    start: number,
    end: number,
    firstByte: number,
    isLast: boolean,
  ): 'row' | 'head' | 'blank'
  /** Throws if the document cannot end here, after `size` bytes. `isOpen`: within a record. */
  finish(size: number, isOpen: boolean): void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
const comma = 0x2c
const semicolon = 0x3b
const backslash = 0x5c

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === lineFeed || byte === carriageReturn

const isLineBreak = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn

const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Whether the byte at this position of a document belongs to its byte order mark. */
const isMark = (byte: number, position: number): boolean =>
  position < byteOrderMark.length && byte === byteOrderMark[position]

const decoder = new TextDecoder('utf-8', { fatal: true })

function isJsonObject(record: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(decoder.decode(record))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * The format of a document, from its beginning; undefined if more of it is needed to tell. What begins like no other format is CSV.
 *
 * @param isWhole whether `start` is the whole document
 */
export function findFormat(start: Uint8Array, isWhole: boolean): DocumentFormat | undefined {
  let at = 0
  while (at < start.length && (isMark(start[at]!, at) || isSpace(start[at]))) at++
  if (start.length < at + 7 && !isWhole) return undefined
  if (start[at] === 0x5b) return 'json'
  if (start[at] !== 0x7b)
    return String.fromCharCode(...start.subarray(at, at + 7)) === '#FLAGGA' ? 'sie' : 'csv'
  const lineEnd = start.indexOf(lineFeed, at)
  if (lineEnd < 0) return isWhole ? 'object' : undefined
  if (!isJsonObject(start.subarray(at, lineEnd))) return 'object'
  if (start.subarray(lineEnd).some((byte) => !isSpace(byte))) return 'json_lines'
  return isWhole ? 'object' : undefined
}

export function recordsOf(format: DocumentFormat): Records {
  switch (format) {
    case 'csv':
      return new CsvRecords()
    case 'json':
      return new ListRecords()
    case 'json_lines':
      return new LineRecords()
    default:
      return new OneRecord(format)
  }
}

/** A document that is never cut. */
class OneRecord implements Records {
  readonly frame = { open: '', between: '', close: '' }
  readonly #format: DocumentFormat

  constructor(format: DocumentFormat) {
    this.#format = format
  }

  begin = (_chunk: Uint8Array, at: number): number => at
  end = (): number => -1
  finish = (): void => {}
  check(bytes: Uint8Array, start: number, end: number): 'row' {
    if (this.#format === 'object' && !isJsonObject(bytes.subarray(start, end))) {
      throw new BrokenFile('The JSON is broken, or ends too early', end)
    }
    return 'row'
  }
}

/** Lines that are not blank, each a JSON object. */
class LineRecords implements Records {
  readonly frame = { open: '', between: '\n', close: '\n' }

  begin(chunk: Uint8Array, at: number, base: number): number {
    let i = at
    while (i < chunk.length && (isSpace(chunk[i]) || isMark(chunk[i]!, base + i))) i++
    return i
  }

  end = (chunk: Uint8Array, at: number): number => chunk.indexOf(lineFeed, at)
  finish = (): void => {}
  check(bytes: Uint8Array, start: number, end: number, firstByte: number): 'row' {
    if (isJsonObject(bytes.subarray(start, end))) return 'row'
    throw new BrokenFile('A line is not a whole JSON object', firstByte)
  }
}

/** The elements of a JSON list. */
class ListRecords implements Records {
  readonly frame = { open: '[', between: ',', close: ']' }
  /** What comes next outside of an element. */
  #next: 'list' | 'first' | 'comma' | 'element' | 'nothing' = 'list'
  #depth = 0
  #isText = false
  #isEscaped = false

  begin(chunk: Uint8Array, at: number, base: number): number {
    for (let i = at; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (isSpace(byte) || isMark(byte, base + i)) continue
      if (this.#next === 'list' && byte === 0x5b) this.#next = 'first'
      else if (this.#next === 'comma' && byte === comma) this.#next = 'element'
      else if ((this.#next === 'first' || this.#next === 'comma') && byte === 0x5d) this.#next = 'nothing'
      else if ((this.#next === 'first' || this.#next === 'element') && byte === 0x7b) return i
      else throw new BrokenFile('The JSON is broken, or is not a list of objects', base + i)
    }
    return chunk.length
  }

  end(chunk: Uint8Array, at: number): number {
    for (let i = at; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isText) {
        if (byte === backslash) this.#isEscaped = true
        else if (byte === quote) this.#isText = false
      } else if (byte === quote) this.#isText = true
      else if (byte === 0x7b || byte === 0x5b) this.#depth++
      else if ((byte === 0x7d || byte === 0x5d) && --this.#depth === 0) {
        this.#next = 'comma'
        return i + 1
      }
    }
    return -1
  }

  check(bytes: Uint8Array, start: number, end: number, firstByte: number): 'row' {
    if (isJsonObject(bytes.subarray(start, end))) return 'row'
    throw new BrokenFile('An element of the list is broken', firstByte)
  }

  finish(size: number, isOpen: boolean): void {
    if (isOpen || this.#next !== 'nothing') throw new BrokenFile('The file ends before its list does', size)
  }
}

/**
 * Records of CSV with their line breaks: CRLF, LF or CR. Both `,` and `;` count as delimiters, which finds the same borders in every
 * document that either of them reads.
 */
class CsvRecords implements Records {
  readonly frame = { open: '', between: '', close: '' }
  #state: 'cell' | 'plain' | 'quoted' | 'quote' | 'return' = 'cell'
  #quoteByte = 0
  /** Of the record that is being read. */
  #commas = 0
  #semicolons = 0
  #header: { delimiter: typeof comma | typeof semicolon; count: number } | undefined

  begin = (_chunk: Uint8Array, at: number): number => at

  end(chunk: Uint8Array, at: number, base: number): number {
    let state = this.#state
    for (let i = at; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (isMark(byte, base + i)) continue
      if (state === 'quoted') {
        if (byte === quote) state = 'quote'
      } else if (state === 'return' || byte === lineFeed) {
        this.#state = 'cell'
        return byte === lineFeed ? i + 1 : i
      } else if (byte === carriageReturn) state = 'return'
      else if (byte === comma || byte === semicolon) {
        if (byte === comma) this.#commas++
        else this.#semicolons++
        state = 'cell'
      } else if (byte === quote && state !== 'plain') {
        if (state === 'cell') this.#quoteByte = base + i
        state = 'quoted'
      } else if (byte === quote || state === 'quote') {
        throw new BrokenFile('The CSV has a quote inside a cell, or text behind one', base + i)
      } else state = 'plain'
    }
    this.#state = state
    return -1
  }

  check(
    bytes: Uint8Array,
    start: number,
    end: number,
    firstByte: number,
    isLast: boolean,
  ): 'row' | 'head' | 'blank' {
    const commas = this.#commas
    const semicolons = this.#semicolons
    this.#commas = 0
    this.#semicolons = 0
    const hasLineBreak = isLineBreak(bytes[end - 1])
    if (hasLineBreak && (end - start === 1 || (end - start === 2 && isLineBreak(bytes[start])))) {
      return this.#header ? 'blank' : 'head'
    }
    if (!this.#header) {
      const delimiter = semicolons > commas ? semicolon : comma
      this.#header = { delimiter, count: Math.max(commas, semicolons) }
      return 'head'
    }
    const count = this.#header.delimiter === comma ? commas : semicolons
    if (isLast && !hasLineBreak && count < this.#header.count) {
      throw new BrokenFile('The file ends in the middle of its last record', firstByte + end - start)
    }
    return 'row'
  }

  finish(size: number, isOpen: boolean): void {
    if (isOpen && this.#state === 'quoted') {
      throw new BrokenFile('The CSV has a quote that is never closed', this.#quoteByte)
    }
    if (size === 0) throw new BrokenFile('The file is empty', 0)
  }
}
