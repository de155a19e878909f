import type { RowCursor, RowValue } from '../documents/row-cursor.ts'
import { sieRowFields, SieRows } from './sie-rows.ts'

/** The #TRANS lines of a SIE file. */
export class SieRowCursor implements RowCursor {
  readonly strayCells = null
  readonly #rows: SieRows

  constructor(bytes: Uint8Array) {
    this.#rows = new SieRows(bytes)
  }

  next(): boolean {
    return this.#rows.next()
  }

  get line(): number {
    return this.#rows.line
  }

  values(): Map<string, RowValue> {
    return new Map(
      sieRowFields.map((name) => [name, { text: this.#rows.text(name), isNested: false, isBroken: false }]),
    )
  }
}
