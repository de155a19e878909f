import { type Format, formats } from '../../engine/formats/formats.ts'
import type { RowCursor, RowValue } from '../../formats/documents/row-cursor.ts'

/** The values of a row by name; null for JSON's `null`. */
export type ExampleRow = ReadonlyMap<string, RowValue | null>

/** Called for each row, counted from 1; null for a CSV record with another number of cells. Returns whether it wants more. */
export type OnRow = (row: ExampleRow | null, number: number) => boolean

export interface RowsFound {
  rows: number
  header: RowCursor['header']
}

/**
 * Walks the rows of a document to its end; rows that are not wanted are only counted. Time is linear in the bytes.
 *
 * @param isDeclared for CSV: the names that its delimiter is chosen by
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
  return { rows, header: cursor.header }
}
