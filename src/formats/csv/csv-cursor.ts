import { CsvError, type CsvFault } from './csv-error.ts'

/** Columns of a header row, and cells of a record whose positions are recorded. As many as a spreadsheet has. */
export const csvColumnsMax = 16_384

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** By delimiter: the bytes that an unquoted cell may have. */
const plainBytes = new Map<number, Uint8Array>()
function plainUnder(delimiter: number): Uint8Array {
  let plain = plainBytes.get(delimiter)
  if (plain === undefined) {
    plain = new Uint8Array(256).fill(1)
    for (const byte of [delimiter, quote, lineFeed, carriageReturn]) plain[byte] = 0
    plainBytes.set(delimiter, plain)
  }
  return plain
}

/** Bytes of a quoted cell that are walked one by one; beyond it, a search for the next quote is quicker. */
const walkedBytes = 32

/**
 * Walks the records of a CSV document (RFC 4180): quoted cells, doubled quotes, quoted line breaks. Lines end in CRLF,
 * LF or CR. Empty lines are not records. The bytes are UTF-8 that has been checked; a byte order mark is passed over by
 * `readCsvHeader`. Nothing is allocated per record, and time is linear in any bytes.
 *
 *   while (records.next()) … bytes.subarray(records.cellStarts[0], records.cellEnds[0]) …
 */
export class CsvCursor {
  /** The record, without its line break. */
  start = 0
  end = 0
  /** How many cells the record has. */
  cells = 0
  /**
   * Raw bytes of each cell, surrounding quotes included. Of the first `csvColumnsMax` cells; the others are only
   * counted.
   */
  cellStarts = new Int32Array(32)
  cellEnds = new Int32Array(32)

  readonly #bytes: Uint8Array
  readonly #delimiter: number
  readonly #plain: Uint8Array
  #at: number
  /** Lines are counted on demand, since they are rarely needed. `#countedTo` is on `#line`. */
  #line: number
  #countedTo: number

  /** Begins at `at`, which is on line `line`. */
  constructor(bytes: Uint8Array, at: number, delimiter: number, line = 1) {
    this.#bytes = bytes
    this.#at = at
    this.#delimiter = delimiter
    this.#plain = plainUnder(delimiter)
    this.#line = line
    this.#countedTo = at
  }

  /** The line on which the record begins, from 1. */
  get line(): number {
    return this.lineAt(this.start)
  }

  /** Moves to the next record; false at the end. Throws a `CsvError`. */
  next(): boolean {
    const bytes = this.#bytes
    const length = bytes.length
    const plain = this.#plain
    const delimiter = this.#delimiter
    let { cellStarts, cellEnds } = this
    let i = this.#at
    while (i < length && (bytes[i] === lineFeed || bytes[i] === carriageReturn)) i++
    this.start = i
    let cells = 0
    // A delimiter at the very end has an empty cell behind it.
    let isOpen = i < length
    while (isOpen) {
      const cellStart = i
      if (i < length && bytes[i] === quote) i = this.#quotedEnd(i)
      else while (i < length && plain[bytes[i]!] === 1) i++
      if (cells === cellStarts.length && cells < csvColumnsMax) {
        this.#keepMoreCells()
        cellStarts = this.cellStarts
        cellEnds = this.cellEnds
      }
      if (cells < cellStarts.length) {
        cellStarts[cells] = cellStart
        cellEnds[cells] = i
      }
      cells++
      isOpen = i < length && bytes[i] === delimiter
      if (isOpen) i++
    }
    if (i < length && bytes[i] === quote) throw this.#error('quote_inside', i)
    this.end = i
    this.cells = cells
    this.#at = i
    return cells > 0
  }

  /** The position after the closing quote of the cell whose opening quote is at `at`. */
  #quotedEnd(at: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    let i = at + 1
    for (;;) {
      const walkedTo = Math.min(length, i + walkedBytes)
      while (i < walkedTo && bytes[i] !== quote) i++
      if (i === walkedTo) {
        i = bytes.indexOf(quote, i)
        if (i < 0) throw this.#error('open_quote', at)
      }
      i++
      if (i === length) return i
      const byte = bytes[i]!
      if (byte !== quote) {
        if (byte === this.#delimiter || byte === lineFeed || byte === carriageReturn) return i
        throw this.#error('after_quote', i)
      }
      i++
    }
  }

  #keepMoreCells(): void {
    const length = Math.min(this.cellStarts.length * 2, csvColumnsMax)
    const starts = new Int32Array(length)
    const ends = new Int32Array(length)
    starts.set(this.cellStarts)
    ends.set(this.cellEnds)
    this.cellStarts = starts
    this.cellEnds = ends
  }

  /** The line of the byte at `at`, which must not be before an earlier call's. */
  lineAt(at: number): number {
    const bytes = this.#bytes
    for (let i = this.#countedTo; i < at; i++) {
      const byte = bytes[i]
      if (byte === lineFeed ? i === 0 || bytes[i - 1] !== carriageReturn : byte === carriageReturn)
        this.#line++
    }
    if (at > this.#countedTo) this.#countedTo = at
    return this.#line
  }

  #error(fault: CsvFault, at: number): CsvError {
    return new CsvError(fault, this.lineAt(at))
  }
}
