import { SieError } from './sie-error.ts'

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d

/** A transaction has seven; later editions of the format may add more at the end. */
const fieldsKept = 8

export function isSieSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09
}

/**
 * Splits a record into its fields. They are separated by spaces and tabs; a field with either is quoted, and a quote in
 * it is preceded by a backslash. Some programs forget that: a quote closes its field only where the field can end, and
 * is literal elsewhere. A list of objects in braces is one field.
 */
export class SieRecord {
  /** How many fields there are. */
  count = 0
  /** Raw bytes of the first fields, quotes and braces included. */
  readonly starts = new Int32Array(fieldsKept)
  readonly ends = new Int32Array(fieldsKept)

  readonly #bytes: Uint8Array
  #line = 0
  /** Items in the latest list. */
  #items = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Splits what follows the label: `bytes[start, end)`, on `line`. Throws a `SieError`. */
  read(start: number, end: number, line: number): void {
    const bytes = this.#bytes
    this.#line = line
    let count = 0
    let at = this.#skipSpace(start, end)
    while (at < end) {
      const fieldEnd = bytes[at] === openBrace ? this.#listEnd(at, end) : this.#fieldEnd(at, end, false)
      if (count < fieldsKept) {
        this.starts[count] = at
        this.ends[count] = fieldEnd
      }
      count++
      at = this.#skipSpace(fieldEnd, end)
    }
    this.count = count
  }

  isList(field: number): boolean {
    return field < this.count && this.#bytes[this.starts[field]!] === openBrace
  }

  /** The items of a field that is a list: start and end of each in turn. */
  listItems(field: number): number[] {
    const items: number[] = []
    const end = this.ends[field]! - 1
    for (let at = this.#skipSpace(this.starts[field]! + 1, end); at < end;) {
      const itemEnd = this.#fieldEnd(at, end, true)
      items.push(at, itemEnd)
      at = this.#skipSpace(itemEnd, end)
    }
    return items
  }

  #skipSpace(at: number, end: number): number {
    while (at < end && isSieSpace(this.#bytes[at])) at++
    return at
  }

  #fieldEnd(start: number, end: number, inList: boolean): number {
    const bytes = this.#bytes
    let at = start
    if (bytes[at] !== quote) {
      while (!this.#endsField(at, end, inList)) at++
      return at
    }
    for (at++; at < end; at++) {
      if (bytes[at] === backslash && bytes[at + 1] === quote && at + 1 < end) at++
      else if (bytes[at] === quote && this.#endsField(at + 1, end, inList)) return at + 1
    }
    throw new SieError('open_quote', this.#line)
  }

  #endsField(at: number, end: number, inList: boolean): boolean {
    return at >= end || isSieSpace(this.#bytes[at]) || (inList && this.#bytes[at] === closeBrace)
  }

  #listEnd(start: number, end: number): number {
    this.#items = 0
    let at = this.#skipSpace(start + 1, end)
    while (at < end && this.#bytes[at] !== closeBrace) {
      at = this.#skipSpace(this.#fieldEnd(at, end, true), end)
      this.#items++
    }
    if (at === end) throw new SieError('open_list', this.#line)
    if (this.#items % 2 !== 0) throw new SieError('pairs', this.#line)
    return at + 1
  }
}
