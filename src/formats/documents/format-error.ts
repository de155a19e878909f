/** What is wrong with the bytes of a document. The message is one sentence, which never quotes a value. */
export class FormatError extends Error {
  override name = 'FormatError'
  /** A word for it, such as `open_quote`. */
  readonly fault: string
  /** Where it is, from 1, if the format counts lines. */
  readonly line: number | null

  constructor(fault: string, message: string, line: number | null = null) {
    super(message)
    this.fault = fault
    this.line = line
  }
}
