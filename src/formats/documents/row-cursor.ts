/** A value as it is written in a row. */
export interface RowValue {
  /** A JSON number, list or object as it is written. */
  text: string
  /** It is a list or an object. */
  isNested: boolean
  /** Some of its bytes are not UTF-8. */
  isBroken: boolean
}

/** Walks the rows of a document to be shown, as far as it can be read; nothing is checked but its syntax. */
export interface RowCursor {
  /** Moves to the next row; false at the end. @throws FormatError where the document is broken */
  next(): boolean
  /** The line on which the row begins, from 1; null for JSON. */
  readonly line: number | null
  /** How many cells the row has, if their number differs from the header row's: then they belong to no column. */
  readonly strayCells: number | null
  /** Of the current row, by name; null for JSON's `null`. Empty if its cells belong to no column. */
  values(): ReadonlyMap<string, RowValue | null>
  /** The header row of CSV. */
  readonly columnNames?: readonly string[]
}
