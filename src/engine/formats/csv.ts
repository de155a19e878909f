import { CsvCursor } from '../../formats/csv/csv-cursor.ts'
import { CsvRowCursor } from '../../formats/csv/csv-row-cursor.ts'
import { readCsvHeader } from '../../formats/csv/csv-header.ts'
import { csvText } from '../../formats/csv/csv-text.ts'
import { hashBytes, hashFactor, hashSeed } from '../tables/byte-dictionary.ts'
import type { Plan, PlanField } from '../parsing/plan/compile-plan.ts'
import { DeliveryAggregation, type RawRow } from '../parsing/aggregate/delivery-aggregation.ts'
import { valueCharactersMax } from '../fields/field-value.ts'
import type { AggregateOptions, AggregateResult } from './aggregate-result.ts'
import { dropUndeclaredColumns } from './drop-undeclared-columns.ts'
import type { FormatDefinition } from './format-definition.ts'
import { ValueReader } from './value-reader.ts'

const quote = 0x22

/**
 * A header row that names declared fields, then a row for each record [hook.csv]. A record with another number of cells
 * than the header row is a refused row.
 */
export const csv: FormatDefinition = {
  names: { en: 'CSV', sv: 'CSV' },
  fileName: 'rows.csv',
  example: 'at,amount,country\r\n2026-01-15T09:30:00+01:00,1249.50,SE\r\n2026-01-15,-80.00,SE\r\n',
  // What begins like no other format is CSV.
  isBegunBy: () => false,
  webhookMediaType: 'text/csv',
  encoding: null,
  fieldTypes: null,
  keepDeclared: (body, _start, declared) => dropUndeclaredColumns(body, declared),
  aggregate,
  openRows: (content, isDeclared) => new CsvRowCursor(content, isDeclared),
}

function aggregate(
  plan: Plan,
  content: Uint8Array,
  { fast, lastUsualDay }: AggregateOptions,
): AggregateResult {
  const indexes = new Map(plan.fields.map(({ name }, index) => [name, index]))
  const { names, delimiter, bodyStart, line } = readCsvHeader(content, (name) => indexes.has(name))
  const records = new CsvCursor(content, bodyStart, delimiter, line)
  const aggregation = new DeliveryAggregation(plan, content.length, lastUsualDay, () => records.line)
  const columns = names.map((name) => indexes.get(name) ?? -1)
  const named = columns.filter((field) => field >= 0)
  if (named.length === 0) return { state: 'unreadable', reason: 'The header row names no declared field.' }
  if (new Set(named).size < named.length) {
    return { state: 'unreadable', reason: 'The header row names a field twice.' }
  }
  const rows = new CsvRows(plan, content, records, columns, aggregation)
  // A row with a NUL is refused. Hardly any document has one, so cells are not searched for it one by one.
  const isFast = fast && !content.includes(0)
  while (records.next()) {
    if (records.cells !== columns.length) aggregation.refuse('cells_differ')
    else if (!isFast || !rows.addFast()) rows.add()
  }
  return aggregation.result()
}

/** Adds the records of a document to an aggregation. */
class CsvRows {
  readonly #content: Uint8Array
  readonly #records: CsvCursor
  /** By column: its field, or -1. */
  readonly #columns: number[]
  readonly #fields: PlanField[]
  readonly #aggregation: DeliveryAggregation
  readonly #values: ValueReader
  readonly #row: RawRow
  /** Space for a text with its doubled quotes unescaped. */
  #single: Uint8Array | undefined

  constructor(
    plan: Plan,
    content: Uint8Array,
    records: CsvCursor,
    columns: number[],
    aggregation: DeliveryAggregation,
  ) {
    this.#content = content
    this.#records = records
    this.#columns = columns
    this.#fields = plan.fields
    this.#aggregation = aggregation
    this.#values = new ValueReader(plan, content, aggregation.slots, aggregation.ids)
    this.#row = Array.from({ length: plan.fields.length })
  }

  /** Adds the current record the general way, or refuses it. */
  add(): void {
    const { cellStarts, cellEnds } = this.#records
    for (const [column, field] of this.#columns.entries()) {
      if (field >= 0) this.#row[field] = csvText(this.#content, cellStarts[column]!, cellEnds[column]!)
    }
    this.#aggregation.addRow(this.#row)
  }

  /**
   * Adds the current record straight from its bytes if it is written as nearly all are; otherwise adds nothing: false.
   */
  addFast(): boolean {
    const content = this.#content
    const columns = this.#columns
    const { cellStarts, cellEnds } = this.#records
    this.#aggregation.slots.clear()
    for (let column = 0; column < columns.length; column++) {
      const field = columns[column]!
      let start = cellStarts[column]!
      let end = cellEnds[column]!
      const isQuoted = content[start] === quote && start < end
      if (isQuoted) {
        start++
        end--
      }
      if (start < end && field >= 0 && !this.#readCell(field, start, end, isQuoted)) return false
    }
    this.#aggregation.addSlots()
    return true
  }

  #readCell(field: number, start: number, end: number, isQuoted: boolean): boolean {
    const values = this.#values
    switch (this.#fields[field]!.type) {
      case 'number':
        if (values.readNumber(start, field) !== end) return false
        break
      case 'timestamp':
        if (values.readTimestamp(start, field) !== end) return false
        break
      case 'bool':
        if (values.readBool(start, field) !== end) return false
        break
      case 'text':
        return this.#readText(field, start, end, isQuoted)
    }
    values.keep(field)
    return true
  }

  #readText(field: number, start: number, end: number, isQuoted: boolean): boolean {
    // A text has at most as many characters as bytes.
    if (end - start > valueCharactersMax) return false
    const content = this.#content
    const { wantsId } = this.#fields[field]!
    if (isQuoted && wantsId && this.#hasQuote(start, end)) this.#keepSingle(field, start, end)
    else this.#values.keepText(field, content, start, end, wantsId ? hashBytes(content, start, end) : 0)
    return true
  }

  #hasQuote(start: number, end: number): boolean {
    const content = this.#content
    for (let i = start; i < end; i++) if (content[i] === quote) return true
    return false
  }

  /** Sets a text with doubled quotes in the row. */
  #keepSingle(field: number, start: number, end: number): void {
    const content = this.#content
    const single = (this.#single ??= new Uint8Array(valueCharactersMax))
    let length = 0
    let hash = hashSeed
    for (let i = start; i < end; i++) {
      const byte = content[i]!
      if (byte === quote) i++
      single[length++] = byte
      hash = Math.imul(hash ^ byte, hashFactor)
    }
    this.#values.keepText(field, single, 0, length, hash)
  }
}
