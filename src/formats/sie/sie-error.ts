import { FormatError } from '../documents/format-error.ts'

/**
 * What is wrong with the syntax of a SIE file. Values of rows are not checked here, but when rows are parsed. `no_flag`
 * it does not begin with #FLAGGA; `type` it is of a type without transactions; `open_quote` a quote is not closed on
 * its line; `open_list` neither is an object list; `fields` a record lacks a field, or has a list where a field
 * belongs; `pairs` an object list is not of pairs; `brace` a brace where none may be, or not alone; `outside` a
 * transaction is in no verification; `no_rows` a verification has no braces; `no_label` a line begins with something
 * else; `too_long` a verification's record is too long; `cut_off` the file ends before something that was begun.
 */
export type SieFault =
  | 'no_flag'
  | 'type'
  | 'open_quote'
  | 'open_list'
  | 'fields'
  | 'pairs'
  | 'brace'
  | 'outside'
  | 'no_rows'
  | 'no_label'
  | 'too_long'
  | 'cut_off'

const sentences: Record<SieFault, (line: number) => string> = {
  no_flag: () => 'The SIE file does not begin with #FLAGGA.',
  type: (line) => `The SIE file says on line ${line} that it is of a type other than 4.`,
  open_quote: (line) => `The SIE file has a quote on line ${line} that is never closed.`,
  open_list: (line) => `The SIE file has an object list on line ${line} that is never closed.`,
  fields: (line) => `The SIE file has a record on line ${line} without the fields of its kind.`,
  pairs: (line) => `The SIE file has an object list on line ${line} that is not of pairs.`,
  brace: (line) => `The SIE file has a brace on line ${line} where none belongs.`,
  outside: (line) => `The SIE file has a transaction on line ${line} outside a verification.`,
  no_rows: (line) => `The SIE file has a verification on line ${line} without its transactions.`,
  no_label: (line) => `The SIE file has text on line ${line} that is no record.`,
  too_long: (line) => `The SIE file has a record on line ${line} of more than 10000 bytes.`,
  cut_off: (line) => `The SIE file ends before what it began on line ${line} is complete.`,
}

/** `line` is where the fault is, counted from 1; the message never contains a value. */
export class SieError extends FormatError {
  override readonly name = 'SieError'

  constructor(fault: SieFault, line: number) {
    super(fault, sentences[fault](line), line)
  }
}
