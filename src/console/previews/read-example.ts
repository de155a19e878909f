import { isStorableText } from '../../formats/json/is-storable-text.ts'
import { type Format, formats } from '../../engine/formats/formats.ts'
import { fieldNameCharactersMax, fieldsMax } from '../../engine/declarations/check-declaration.ts'
import { type FieldType, codePoints } from '../../engine/fields/field-value.ts'
import type { TimeZone } from '../../formats/values/time-zone.ts'
import { ColumnProfile, type Misfit } from './column-profile.ts'
import { cutText } from './cut-text.ts'
import { readExampleContent } from './example-content.ts'
import { walkRows, type ExampleRow } from './example-rows.ts'
import { guessPersonal, type PersonalGuess } from './guess-personal.ts'
import { proposeEventTime } from './propose-event-time.ts'
import { warning, warningsMax, type ExampleWarning } from './warning.ts'

/** First rows of an example that its fields are proposed from; further ones are only counted. */
export const examinedRowsMax = 10_000
/** Values that they are proposed from; further rows are only counted. */
const examinedValuesMax = 200_000
/** Columns and keys of an example whose names are checked. */
const columnsMax = 2_000

interface ExampleField {
  name: string
  type: FieldType
  personal: boolean
  personalGuess: PersonalGuess | null
  /** Examined rows that have a value. */
  filled: number
  examples: string[]
}

export interface ReadExample {
  format: Format
  encoding: string
  rows: number
  fields: ExampleField[]
  eventTime: string | null
  warnings: ExampleWarning[]
}

export interface ExampleOptions {
  /** Null to detect it from the first bytes. */
  format: Format | null
  /** The company's, for times without an offset. */
  zone: TimeZone
  at: Date
}

/**
 * Proposes fields from an example: names, types, and which look personal. A proposal for a person to review.
 *
 * @throws FormatError if it is broken
 */
export function readExample(bytes: Uint8Array, { format, zone, at }: ExampleOptions): ReadExample {
  const { content, format: found, encoding, warnings } = readExampleContent(bytes, format)
  const examined = new ExaminedRows(zone)
  const { rows, columnNames = [] } = walkRows(content, found, (row, number) => examined.add(row, number))
  // A header row without records still has columns.
  for (const name of columnNames) examined.getColumn(name)
  const columns = [...examined.columns.values()].filter((column) => isPlainColumn(column))
  warnings.push(...warningsOfHeader(columnNames))
  const named = columns.filter(({ name }) => isFieldName(name))
  warnings.push(...warningsOfNames(columns))
  if (named.length > fieldsMax) warnings.push(warning('too_many_fields', { rows: named.length }))
  const proposed = named.slice(0, fieldsMax).map((column) => {
    return { column, field: proposeField(column, found, at) }
  })
  for (const { column, field } of proposed) warnings.push(...warningsOfColumn(column, field))
  for (const column of examined.columns.values()) {
    if (column.notPlainRow === undefined) continue
    warnings.push(warning('not_plain', { field: cutText(column.name), row: column.notPlainRow }))
  }
  if (examined.differing > 0) {
    warnings.push(warning('cells_differ', { row: examined.firstDiffering, rows: examined.differing }))
  }
  const fields = proposed.map(({ field }) => field)
  const eventTime = chooseEventTime(fields)
  if (eventTime === null) warnings.push(warning('no_event_time'))
  return {
    format: found,
    encoding,
    rows,
    fields,
    eventTime,
    warnings: warnings.slice(0, warningsMax),
  }
}

/** The first rows of an example, column by column. */
class ExaminedRows {
  readonly columns = new Map<string, ColumnProfile>()
  rows = 0
  /** Records whose number of cells differs from the header row's. */
  differing = 0
  firstDiffering: number | null = null
  readonly #zone: TimeZone
  #values = 0

  constructor(zone: TimeZone) {
    this.#zone = zone
  }

  add(row: ExampleRow | null, number: number): boolean {
    this.rows++
    if (row === null) {
      this.differing++
      this.firstDiffering ??= number
    } else {
      for (const [name, value] of row) this.getColumn(name)?.add(value, number)
      this.#values += row.size
    }
    return this.rows < examinedRowsMax && this.#values < examinedValuesMax
  }

  getColumn(name: string): ColumnProfile | undefined {
    let column = this.columns.get(name)
    if (column === undefined && this.columns.size < columnsMax) {
      column = new ColumnProfile(name, this.#zone)
      this.columns.set(name, column)
    }
    return column
  }
}

/** Leaves out keys that contain only objects and lists. */
function isPlainColumn({ filled, notPlainRow }: ColumnProfile): boolean {
  return filled > 0 || notPlainRow === undefined
}

function proposeField(column: ColumnProfile, format: Format, at: Date): ExampleField {
  const { name, filled, examples } = column
  const { fieldTypes } = formats[format]
  const guess = fieldTypes === null ? guessPersonal(name, column.values, at) : null
  // Among numbers and times only a date of birth is personal; a customer number is text.
  const type = fieldTypes?.get(name) ?? (isWritten(guess) ? 'text' : column.getType())
  const isAbout = guess !== null && (type === 'text' || guess.by === 'values' || guess.kind === 'birth_date')
  const personalGuess = isAbout ? guess : null
  return { name, type, personal: personalGuess !== null, personalGuess, filled, examples }
}

/** Looks like a number without being one. */
function isWritten(guess: PersonalGuess | null): boolean {
  return guess !== null && guess.by === 'values' && guess.kind !== 'birth_date'
}

function chooseEventTime(fields: readonly ExampleField[]): string | null {
  const times = fields.filter(({ type, personal }) => type === 'timestamp' && !personal)
  return proposeEventTime(times.map(({ name }) => name))
}

function warningsOfHeader(names: readonly string[]): ExampleWarning[] {
  const warnings: ExampleWarning[] = []
  const other = names.length === 1 ? /[\t|]/.exec(names[0]!)?.[0] : undefined
  if (other !== undefined) warnings.push(warning('separator_not_read', { value: other }))
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const name of names) {
    if (seen.has(name) && name !== '') twice.add(name)
    seen.add(name)
  }
  for (const name of [...twice].slice(0, warningsMax)) {
    warnings.push(warning('name_twice', { field: cutText(name) }))
  }
  return warnings
}

function isFieldName(name: string): boolean {
  const characters = name.length > 2 * fieldNameCharactersMax ? Number.NaN : codePoints(name)
  return (
    characters >= 1 && characters <= fieldNameCharactersMax && !/\p{Cc}/u.test(name) && isStorableText(name)
  )
}

function warningsOfNames(columns: readonly ColumnProfile[]): ExampleWarning[] {
  return columns.flatMap(({ name }) => {
    if (name === '') return [warning('name_missing')]
    const field = cutText(name).toWellFormed()
    if (!isFieldName(name)) return [warning('name_not_allowed', { field })]
    const hasUnseen = /[\p{Cf}\p{Zl}\p{Zp}]/u.test(name) || name.trim() !== name
    return hasUnseen ? [warning('name_invisible', { field })] : []
  })
}

function warningsOfColumn(column: ColumnProfile, { name, type, personal }: ExampleField): ExampleWarning[] {
  const toWarning = (code: 'would_be_refused' | 'mostly_numbers', { row, value, suggestion, rows }: Misfit) =>
    warning(code, {
      field: name,
      row,
      // Personal values are not repeated.
      value: personal ? null : cutText(value).toWellFormed(),
      suggestion: personal ? null : (suggestion ?? null),
      rows,
    })
  const misfit = column.findMisfit(type)
  if (misfit !== undefined) return [toWarning('would_be_refused', misfit)]
  const mostly = type === 'text' && !personal ? column.mostlyNumbers : undefined
  return mostly === undefined ? [] : [toWarning('mostly_numbers', mostly)]
}
