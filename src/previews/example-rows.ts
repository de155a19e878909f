import { CsvCursor } from '../csv/csv-cursor.ts'
import { readCsvHeader } from '../csv/csv-header.ts'
import { csvText } from '../csv/csv-text.ts'
import type { DeliveryFormat } from '../deliveries/intake/delivery.ts'
import { ArrayCursor } from '../json/array-cursor.ts'
import { checkJson } from '../json/check-json.ts'
import { JsonError } from '../json/json-error.ts'
import { JsonScanner } from '../json/json-scanner.ts'
import { jsonText } from '../json/json-text.ts'
import { ObjectCursor } from '../json/object-cursor.ts'
import { notPlain } from '../parsing/aggregate/delivery-aggregation.ts'
import { sieRowFields, SieRows } from '../sie/sie-rows.ts'

/** What stands in a row by name, as text; undefined for `null`. */
export type ExampleRow = ReadonlyMap<string, string | undefined | typeof notPlain>

/** Told of each row, counted from 1; null for a CSV record with another number of cells. Says whether it wants further ones. */
export type OnRow = (row: ExampleRow | null, number: number) => boolean

export interface RowsFound {
  rows: number
  /** Of CSV alone. */
  header: { names: string[]; delimiter: string } | undefined
}

/**
 * Why something that is whole is no rows: `spreadsheet` a file of a spreadsheet program, or a compressed one; `no_rows` JSON of
 * something other than objects.
 */
export type NoRowsFault = 'spreadsheet' | 'no_rows'

/** Thrown for what can be read, and is no rows. `line` is where that was seen, from 1, where it is known. */
export class NoRowsError extends Error {
  override readonly name = 'NoRowsError'
  readonly fault: NoRowsFault
  readonly line: number | null

  constructor(fault: NoRowsFault, message: string, line: number | null = null) {
    super(message)
    this.fault = fault
    this.line = line
  }
}

/**
 * Walks the rows of a document with the cursors that deliveries are read with, to its end; rows that are not wanted are only
 * counted. Time is linear in the bytes.
 *
 * @param isDeclared with CSV: the names that its delimiter is told by; any name unless given
 * @throws JsonError, CsvError, SieError where it is broken; NoRowsError where it is JSON of something else
 */
export function walkRows(
  content: Uint8Array,
  format: DeliveryFormat,
  onRow: OnRow,
  isDeclared = (name: string): boolean => name !== '',
): RowsFound {
  switch (format) {
    case 'json':
      return { rows: walkJson(content, onRow), header: undefined }
    case 'json_lines':
      return { rows: walkJsonLines(content, onRow), header: undefined }
    case 'csv':
      return walkCsv(content, onRow, isDeclared)
    case 'sie':
      return { rows: walkSie(content, onRow), header: undefined }
  }
}

const brace = 0x7b
const bracket = 0x5b
const lineFeed = 0x0a

function walkJson(content: Uint8Array, onRow: OnRow): number {
  const { start } = checkJson(content)
  const members = new ObjectCursor(content)
  if (content[start] === brace) {
    onRow(objectRow(content, members, start), 1)
    return 1
  }
  if (content[start] !== bracket)
    throw new NoRowsError('no_rows', 'The content is neither an object nor a list of objects.')
  const items = new ArrayCursor(content)
  let isWanted = true
  items.open(start)
  while (items.next()) {
    if (content[items.itemStart] !== brace) {
      throw new NoRowsError('no_rows', 'The content is neither an object nor a list of objects.')
    }
    if (!isWanted) continue
    isWanted = onRow(objectRow(content, members, items.itemStart), items.count)
    items.leave(members.end)
  }
  return items.count
}

function walkJsonLines(content: Uint8Array, onRow: OnRow): number {
  const members = new ObjectCursor(content)
  let rows = 0
  let line = 0
  let isWanted = true
  for (let at = 0; at < content.length;) {
    line++
    const found = content.indexOf(lineFeed, at)
    const lineEnd = found < 0 ? content.length : found
    const scanner = new JsonScanner(content, lineEnd)
    const start = scanner.skipSpace(at)
    if (start < lineEnd) {
      if (content[start] !== brace)
        throw new NoRowsError('no_rows', `Line ${line} is not a JSON object.`, line)
      const rest = scanner.skipSpace(scanner.scanValue(start))
      if (rest < lineEnd) throw new JsonError('syntax', rest)
      rows++
      if (isWanted) isWanted = onRow(objectRow(content, members, start), rows)
    }
    at = lineEnd + 1
  }
  return rows
}

/** The members of an object that has been scanned; `members` is at its end then. */
function objectRow(content: Uint8Array, members: ObjectCursor, at: number): ExampleRow {
  const row = new Map<string, string | undefined | typeof notPlain>()
  members.open(at)
  while (members.next()) {
    const { keyStart, keyEnd, valueStart, valueEnd } = members
    row.set(jsonText(content, keyStart, keyEnd), plainValue(content, valueStart, valueEnd))
  }
  return row
}

function plainValue(content: Uint8Array, start: number, end: number): string | undefined | typeof notPlain {
  switch (content[start]) {
    case 0x22:
      return jsonText(content, start, end)
    case brace:
    case bracket:
      return notPlain
    case 0x6e:
      return undefined
    default:
      return Buffer.from(content.buffer, content.byteOffset + start, end - start).toString('latin1')
  }
}

function walkCsv(content: Uint8Array, onRow: OnRow, isDeclared: (name: string) => boolean): RowsFound {
  const { names, delimiter, bodyStart, line } = readCsvHeader(content, isDeclared)
  const records = new CsvCursor(content, bodyStart, delimiter, line)
  let rows = 0
  let isWanted = true
  while (records.next()) {
    rows++
    if (isWanted)
      isWanted = onRow(records.cells === names.length ? csvRow(content, records, names) : null, rows)
  }
  return { rows, header: { names, delimiter: String.fromCharCode(delimiter) } }
}

/** Of two columns of one name, the first. */
function csvRow(content: Uint8Array, records: CsvCursor, names: readonly string[]): ExampleRow {
  const row = new Map<string, string>()
  for (const [column, name] of names.entries()) {
    if (!row.has(name))
      row.set(name, csvText(content, records.cellStarts[column]!, records.cellEnds[column]!))
  }
  return row
}

function walkSie(content: Uint8Array, onRow: OnRow): number {
  const records = new SieRows(content)
  let rows = 0
  let isWanted = true
  while (records.next()) {
    rows++
    if (isWanted) isWanted = onRow(new Map(sieRowFields.map((name) => [name, records.text(name)])), rows)
  }
  return rows
}
