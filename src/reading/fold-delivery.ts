import { isUtf8 } from 'node:buffer'
import { JsonError } from '../json/json-error.ts'
import { JsonScanner } from '../json/json-scanner.ts'
import { jsonText } from '../json/json-text.ts'
import { ObjectCursor } from '../json/object-cursor.ts'
import type { Plan } from './compile-plan.ts'
import { DeliveryFold, type FoldedRows, notPlain, type RawRow } from './delivery-fold.ts'
import { FastRowReader } from './fast-row-reader.ts'

/** Content that reading finds broken: no row of it counts (`parse.states`). */
export interface Unreadable {
  state: 'unreadable'
  /** One sentence, without anything of the content. */
  reason: string
}

export type FoldResult = FoldedRows | Unreadable

/**
 * Reads stored JSON content, one object or a list of objects, into contributions to the cells of the plan's
 * metrics. Never throws for anything the content holds. Keys that are not declared are passed over.
 *
 * `fast: false` takes the general way for every row; what comes out is the same.
 */
export function foldDelivery(plan: Plan, content: Uint8Array, { fast = true } = {}): FoldResult {
  if (!isUtf8(content)) return { state: 'unreadable', reason: 'The content is not UTF-8.' }
  try {
    return new JsonRows(plan, content, fast).fold()
  } catch (error) {
    if (error instanceof JsonError) return { state: 'unreadable', reason: error.message }
    throw error
  }
}

class JsonRows {
  readonly #content: Uint8Array
  readonly #fold: DeliveryFold
  readonly #fast: FastRowReader | undefined
  readonly #scanner: JsonScanner
  readonly #members: ObjectCursor
  readonly #fields: Map<string, number>
  readonly #row: RawRow

  constructor(plan: Plan, content: Uint8Array, fast: boolean) {
    this.#content = content
    this.#fold = new DeliveryFold(plan)
    if (fast) this.#fast = new FastRowReader(plan, content, this.#fold.slots, this.#fold.ids)
    this.#scanner = new JsonScanner(content)
    this.#members = new ObjectCursor(content)
    this.#fields = new Map(plan.fields.map(({ name }, index) => [name, index]))
    this.#row = Array.from({ length: plan.fields.length })
  }

  fold(): FoldResult {
    const content = this.#content
    const scanner = this.#scanner
    let i = scanner.skipSpace(0)
    if (content[i] === 0x7b) i = this.#addRow(i)
    else if (content[i] === 0x5b) {
      i = scanner.skipSpace(i + 1)
      if (content[i] === 0x5d) i++
      else {
        for (;;) {
          if (content[i] !== 0x7b) return this.#noRow(i)
          i = this.#addRow(i)
          if (content[i] !== 0x2c) i = scanner.skipSpace(i)
          if (content[i] === 0x5d) break
          if (content[i] !== 0x2c) throw new JsonError('syntax', i)
          i++
          if (content[i] !== 0x7b) i = scanner.skipSpace(i)
        }
        i++
      }
    } else return this.#noRow(i)
    i = scanner.skipSpace(i)
    if (i < content.length) throw new JsonError('syntax', i)
    return this.#fold.result()
  }

  /** Adds the row that begins at `at`; gives the position after it. */
  #addRow(at: number): number {
    if (this.#fast !== undefined) {
      this.#fold.slots.clear()
      const end = this.#fast.read(at)
      if (end >= 0) {
        this.#fold.addSlots()
        return end
      }
    }
    const end = this.#scanner.scanValue(at)
    const row = this.#row
    row.fill(undefined)
    const members = this.#members
    members.open(at)
    while (members.next()) {
      const field = this.#fields.get(jsonText(this.#content, members.keyStart, members.keyEnd))
      if (field !== undefined) row[field] = this.#rawValue(members.valueStart, members.valueEnd)
    }
    this.#fold.addRow(row)
    return end
  }

  #rawValue(start: number, end: number): RawRow[number] {
    const content = this.#content
    switch (content[start]) {
      case 0x22:
        return jsonText(content, start, end)
      case 0x7b:
      case 0x5b:
        return notPlain
      case 0x6e:
        return undefined
      default:
        return Buffer.from(content.buffer, content.byteOffset + start, end - start).toString('latin1')
    }
  }

  /** Something that is no row stands at `at`: broken JSON, or JSON that is not rows. */
  #noRow(at: number): Unreadable {
    this.#scanner.scanValue(at)
    return { state: 'unreadable', reason: 'The content is neither an object nor a list of objects.' }
  }
}
