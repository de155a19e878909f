import { CsvCursor, csvColumnsMax } from './csv-cursor.ts'
import { CsvError } from './csv-error.ts'
import { csvText } from './csv-text.ts'

export interface CsvHeader {
  /** The byte between cells. */
  delimiter: number
  names: string[]
  /** Where a cursor over the records begins: at the header row's line break. */
  bodyStart: number
  /** The line of `bodyStart`, which that cursor begins with. */
  line: number
}

const comma = 0x2c
const semicolon = 0x3b

const byteOrderMark = [0xef, 0xbb, 0xbf]

function readUnder(bytes: Uint8Array, delimiter: number): CsvHeader {
  const start = byteOrderMark.every((byte, at) => bytes[at] === byte) ? byteOrderMark.length : 0
  const records = new CsvCursor(bytes, start, delimiter)
  if (!records.next()) throw new CsvError('no_header', 1)
  const { cells, cellStarts, cellEnds, end } = records
  if (cells > csvColumnsMax) throw new CsvError('columns', records.line)
  const names = Array.from({ length: cells }, (_, cell) => csvText(bytes, cellStarts[cell]!, cellEnds[cell]!))
  return { delimiter, names, bodyStart: end, line: records.lineAt(end) }
}

/**
 * Parses the header row: the first record, after a byte order mark if there is one. The delimiter is `,` or `;`, the
 * one under which more names are declared, and `,` when it is equal [hook.csv]. Names come as they are written, whether
 * they are declared or not. Throws a `CsvError` if neither works.
 */
export function readCsvHeader(bytes: Uint8Array, isDeclared: (name: string) => boolean): CsvHeader {
  let best: CsvHeader | undefined
  let bestCount = -1
  let fault: CsvError | undefined
  for (const delimiter of [comma, semicolon]) {
    try {
      const header = readUnder(bytes, delimiter)
      const count = header.names.filter(isDeclared).length
      if (count > bestCount) {
        best = header
        bestCount = count
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      fault ??= error
    }
  }
  // A header row that is broken under one delimiter and names nothing under the other counts as broken.
  if (best === undefined || (bestCount === 0 && fault !== undefined)) throw fault!
  return best
}
