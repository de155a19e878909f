import { JsonScanner } from '../../formats/json/json-scanner.ts'
import { jsonText } from '../../formats/json/json-text.ts'
import { ObjectCursor } from '../../formats/json/object-cursor.ts'
import type { Plan } from '../parsing/plan/compile-plan.ts'
import { type DeliveryAggregation, notPlain, type RawRow } from '../parsing/aggregate/delivery-aggregation.ts'
import { FastRowReader } from './fast-row-reader.ts'

/** Adds rows that are JSON objects to an aggregation. */
export class JsonRows {
  readonly scanner: JsonScanner
  readonly #content: Uint8Array
  readonly #aggregation: DeliveryAggregation
  readonly #fast: FastRowReader | undefined
  readonly #members: ObjectCursor
  readonly #fields: Map<string, number>
  readonly #row: RawRow

  /** The content must be UTF-8. Without `fast` every row takes the general path; the result is the same. */
  constructor(plan: Plan, content: Uint8Array, aggregation: DeliveryAggregation, fast: boolean) {
    this.scanner = new JsonScanner(content)
    this.#content = content
    this.#aggregation = aggregation
    if (fast) this.#fast = new FastRowReader(plan, content, aggregation.slots, aggregation.ids)
    this.#members = new ObjectCursor(content)
    this.#fields = new Map(plan.fields.map(({ name }, index) => [name, index]))
    this.#row = Array.from({ length: plan.fields.length })
  }

  /** Adds the row whose opening brace is at `at`; returns the position after it. Throws a `JsonError`. */
  add(at: number): number {
    if (this.#fast !== undefined) {
      this.#aggregation.slots.clear()
      const end = this.#fast.read(at)
      if (end >= 0) {
        this.#aggregation.addSlots()
        return end
      }
    }
    const end = this.scanner.scanValue(at)
    const row = this.#row
    row.fill(undefined)
    const members = this.#members
    members.open(at)
    while (members.next()) {
      const field = this.#fields.get(jsonText(this.#content, members.keyStart, members.keyEnd))
      if (field !== undefined) row[field] = this.#rawValue(members.valueStart, members.valueEnd)
    }
    this.#aggregation.addRow(row)
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
}
