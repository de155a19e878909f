import { isUtf8 } from 'node:buffer'
import type { RowCursor, RowValue } from '../documents/row-cursor.ts'
import { CsvCursor } from './csv-cursor.ts'
import { readCsvHeader } from './csv-header.ts'
import { csvText } from './csv-text.ts'

/** The rows of a CSV document. Of two columns with one name, the first counts. */
export class CsvRowCursor implements RowCursor {
  readonly columnNames: readonly string[]
  readonly #bytes: Uint8Array
  readonly #records: CsvCursor
  readonly #isUtf8: boolean

  /** The delimiter is the one under which more names are declared. */
  constructor(bytes: Uint8Array, isDeclared: (name: string) => boolean) {
    const { names, delimiter, bodyStart, line } = readCsvHeader(bytes, isDeclared)
    this.columnNames = names
    this.#bytes = bytes
    this.#records = new CsvCursor(bytes, bodyStart, delimiter, line)
    this.#isUtf8 = isUtf8(bytes)
  }

  next(): boolean {
    return this.#records.next()
  }

  get line(): number {
    return this.#records.line
  }

  get strayCells(): number | null {
    const { cells } = this.#records
    return cells === this.columnNames.length ? null : cells
  }

  values(): Map<string, RowValue> {
    const values = new Map<string, RowValue>()
    if (this.strayCells !== null) return values
    const bytes = this.#bytes
    const { cellStarts, cellEnds } = this.#records
    for (const [column, name] of this.columnNames.entries()) {
      if (values.has(name)) continue
      const [start, end] = [cellStarts[column]!, cellEnds[column]!]
      const isBroken = !this.#isUtf8 && !isUtf8(bytes.subarray(start, end))
      values.set(name, { text: csvText(bytes, start, end), isNested: false, isBroken })
    }
    return values
  }
}
