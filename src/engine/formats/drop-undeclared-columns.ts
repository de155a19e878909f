import { CsvCursor } from '../../formats/csv/csv-cursor.ts'
import { type CsvHeader, readCsvHeader } from '../../formats/csv/csv-header.ts'
import { isStorableText } from '../../formats/json/is-storable-text.ts'
import type { DeclaredNames } from './declared-names.ts'
import { FormatError } from '../../formats/documents/format-error.ts'
import { DroppedKeys } from './dropped-keys.ts'
import type { KeptContent } from './drop-undeclared.ts'
import { namesNothingDeclared } from './names-nothing-declared.ts'

const comma = 0x2c
const quote = 0x22

/** The most bytes that a record can grow by: two quotes and a delimiter. */
const addedBytesMax = 3

/**
 * Drops the columns of a CSV document that its shape does not declare [push.document]. `body` is UTF-8. Every record
 * stays a record on its own line, and a record whose number of cells differs from the header row's still differs.
 * Throws a `FormatError` if it is not CSV, or its header row has no declared name or has one twice.
 */
export function dropUndeclaredColumns(body: Uint8Array, declared: DeclaredNames): KeptContent {
  const header = readCsvHeader(body, (name) => declared.hasText(name))
  const kept = keptColumns(header, declared)
  const records = new CsvCursor(body, header.bodyStart, header.delimiter, header.line)
  if (kept.length === header.names.length) {
    while (records.next());
    return { content: body, droppedKeys: [] }
  }
  const dropped = new DroppedKeys()
  for (const name of header.names) if (!declared.hasText(name)) dropped.addText(name)
  return { content: new KeptColumns(body, header, kept).write(records), droppedKeys: dropped.list() }
}

/** The indexes of the declared columns. */
function keptColumns({ names }: CsvHeader, declared: DeclaredNames): number[] {
  const seen = new Set<string>()
  const kept: number[] = []
  for (const [column, name] of names.entries()) {
    if (!isStorableText(name)) {
      throw new FormatError('header', `The name of column ${column + 1} has a character that cannot be kept.`)
    }
    if (!declared.hasText(name)) continue
    if (seen.has(name)) {
      throw new FormatError(
        'header',
        `The header row names a field twice, the second time in column ${column + 1}: leave one of the two out.`,
      )
    }
    seen.add(name)
    kept.push(column)
  }
  if (kept.length === 0) throw new FormatError('header', namesNothingDeclared(names, declared))
  return kept
}

/** Rewrites a document with some of its columns. */
class KeptColumns {
  readonly #body: Uint8Array
  readonly #header: CsvHeader
  readonly #kept: readonly number[]
  /** With one column the delimiter cannot be detected: a comma is assumed. */
  readonly #delimiter: number
  #out: Uint8Array
  #length = 0

  constructor(body: Uint8Array, header: CsvHeader, kept: readonly number[]) {
    this.#body = body
    this.#header = header
    this.#kept = kept
    this.#delimiter = kept.length === 1 ? comma : header.delimiter
    this.#out = Buffer.allocUnsafeSlow(body.length + 1_024)
  }

  write(records: CsvCursor): Uint8Array {
    this.#writeHeader()
    let from = this.#header.bodyStart
    while (records.next()) {
      this.#makeRoom(records.end - from + addedBytesMax)
      // Line breaks stay as they are.
      this.#copy(from, records.start)
      this.#writeRecord(records)
      from = records.end
    }
    this.#makeRoom(this.#body.length - from)
    this.#copy(from, this.#body.length)
    return this.#out.subarray(0, this.#length)
  }

  /** Names are quoted if another delimiter or a byte order mark might be found in them otherwise. */
  #writeHeader(): void {
    const cells = this.#kept.map((column) => {
      const name = this.#header.names[column]!
      return /^$|^\ufeff|[",;\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
    })
    const written = Buffer.from(cells.join(String.fromCharCode(this.#delimiter)))
    this.#makeRoom(written.length)
    this.#out.set(written, this.#length)
    this.#length += written.length
  }

  #writeRecord({ cells, cellStarts, cellEnds }: CsvCursor): void {
    const kept = this.#kept
    const recordStart = this.#length
    let written = 0
    for (; written < kept.length && kept[written]! < cells; written++) {
      const column = kept[written]!
      if (written > 0) this.#put(this.#delimiter)
      this.#writeCell(cellStarts[column]!, cellEnds[column]!)
    }
    const isRagged = cells !== this.#header.names.length
    // One more cell if it would look complete otherwise.
    if (isRagged && (written === kept.length || kept.length === 1)) this.#put(this.#delimiter)
    // An empty line would not be a record.
    if (this.#length === recordStart) {
      this.#put(quote)
      this.#put(quote)
    }
  }

  #writeCell(start: number, end: number): void {
    const isQuotedAnew =
      this.#delimiter !== this.#header.delimiter &&
      this.#body[start] !== quote &&
      this.#hasDelimiter(start, end)
    if (isQuotedAnew) this.#put(quote)
    this.#copy(start, end)
    if (isQuotedAnew) this.#put(quote)
  }

  #hasDelimiter(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.#body[at] === this.#delimiter) return true
    return false
  }

  #put(byte: number): void {
    this.#out[this.#length++] = byte
  }

  #copy(start: number, end: number): void {
    const body = this.#body
    const out = this.#out
    let to = this.#length
    // Most cells are a few bytes long, where calling `set` would cost more than the loop.
    if (end - start < 32) for (let at = start; at < end; at++) out[to++] = body[at]!
    else {
      out.set(body.subarray(start, end), to)
      to += end - start
    }
    this.#length = to
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#out.length) return
    const larger = Buffer.allocUnsafeSlow(2 * this.#out.length + bytes)
    larger.set(this.#out)
    this.#out = larger
  }
}
