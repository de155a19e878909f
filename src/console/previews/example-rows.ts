import { type Format, formats } from '../../engine/formats/formats.ts'
import type { RowCursor, RowValue } from '../../formats/documents/row-cursor.ts'

/** The values of a row by name; null for JSON's `null`. */
export type ExampleRow = ReadonlyMap<string, RowValue | null>

/**
 * Called for each row, numbered from 1; null for a CSV record with the wrong number of cells. Returns whether to continue.
 */
export type OnRow = (row: ExampleRow | null, number: number) => boolean

interface RowsFound {
  rows: number
  columnNames: RowCursor['columnNames']
}

/**
 * Walks the rows of a document to its end; once the callback stops, rows are only counted. Time is linear in the bytes.
 *
 * @param isDeclared for CSV: the column names that decide on its delimiter
 * @throws FormatError if it is broken
 */
export function walkRows(
  content: Uint8Array,
  format: Format,
  onRow: OnRow,
  isDeclared = (name: string): boolean => name !== '',
): RowsFound {
  const cursor = formats[format].openRows(content, isDeclared)
  let rows = 0
  let isWanted = true
  while (cursor.next()) {
    rows++
    if (isWanted) isWanted = onRow(cursor.strayCells === null ? cursor.values() : null, rows)
  }
  return { rows, columnNames: cursor.columnNames }
}
