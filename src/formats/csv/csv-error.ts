import { FormatError } from '../documents/format-error.ts'

/**
 * What is wrong with a CSV text (RFC 4180):
 * `open_quote` a quoted cell is never closed; `after_quote` something other than a delimiter or a line break follows a
 * closing quote; `quote_inside` a cell that does not begin with a quote contains one; `no_header` there is no record;
 * `columns` the header row has more columns than are read.
 */
export type CsvFault = 'open_quote' | 'after_quote' | 'quote_inside' | 'no_header' | 'columns'

const sentences: Record<CsvFault, (line: number) => string> = {
  open_quote: (line) => `The CSV has a quote on line ${line} that is never closed.`,
  after_quote: (line) => `The CSV has text after a closing quote on line ${line}.`,
  quote_inside: (line) => `The CSV has a quote inside an unquoted cell on line ${line}.`,
  no_header: () => 'The CSV has no header row.',
  columns: () => 'The CSV has more than 16384 columns.',
}

/** Thrown by the cursor. `line` is where the fault is, counted from 1; the message never contains a value. */
export class CsvError extends FormatError {
  override readonly name = 'CsvError'

  constructor(fault: CsvFault, line: number) {
    super(fault, sentences[fault](line), line)
  }
}
