/** The rows of stored content as the developer page shows them: pure, and never more than a page of them. */
import { isUtf8 } from 'node:buffer'
import { CsvCursor } from '../csv/csv-cursor.ts'
import { CsvError } from '../csv/csv-error.ts'
import { readCsvHeader } from '../csv/csv-header.ts'
import { csvText } from '../csv/csv-text.ts'
import type { DeliveryFormat } from '../deliveries/intake/delivery.ts'
import { JsonError } from '../json/json-error.ts'
import { JsonScanner } from '../json/json-scanner.ts'
import { jsonText } from '../json/json-text.ts'
import { ObjectCursor } from '../json/object-cursor.ts'
import { skipSpace } from '../json/skip-space.ts'
import { skipValue } from '../json/skip-value.ts'
import { SieError } from '../sie/sie-error.ts'
import { sieRowFields, SieRows } from '../sie/sie-rows.ts'
import { codePoints } from '../sources/field-value.ts'
import { createPersonalNames, type PersonalNames } from './personal-names.ts'

/** Characters of a value that are shown; the rest is cut off, and its length told. */
export const shownCharactersMax = 1_000

/** About what the rows of one page come to as JSON; a page ends before it is more, its first row always there. */
export const shownBytesMax = 2_097_152

/** A field of the version that the delivery is parsed under. */
export interface ShownField {
  name: string
  /** Its values are not shown. */
  isMasked: boolean
}

/** What stands under a field of a row. Exactly one of `text` and `masked` is there. */
export interface ShownValue {
  text?: string
  /** How long it is, where `text` is its beginning. */
  characters?: number
  masked?: true
  /** Bytes of it are no UTF-8. */
  broken?: true
}

export interface ShownRow {
  /** From 1, as refusals have it. */
  row: number
  line: number | null
  /** By field; null for a missing one. Null altogether for a record whose cells stand under no columns. */
  values: (ShownValue | null)[] | null
  /** How many cells such a record has. */
  cells: number | null
}

export interface ShownRows {
  rows: ShownRow[]
  /** Where the content is broken: no row is shown from it on. */
  broken: { row: number; reason: string } | null
  hasMore: boolean
}

export interface RowRequest {
  fields: readonly ShownField[]
  /** Of personal fields, whether or not they are among `fields`: what has such a name inside of another value is masked. */
  personalNames: readonly string[]
  /** The last row of the page before; 0 for the first page. */
  after: number
  limit: number
  /** Only these, in ascending order. */
  only?: readonly number[]
}

/** Stands at a row; `show` is asked only of those that are on the page. */
interface RowCursor {
  /** Moves to the next row; false at the end. Throws where the content is broken. */
  next(): boolean
  line(): number | null
  values(): ShownRow['values']
  cells(): number | null
}

/** Broken in a way that the formats' own errors do not say. */
class BrokenRowsError extends Error {}

/**
 * Reads one page of rows, as far as the content can be read. Takes time by the content before the page's end, whatever it
 * holds; nothing of a masked field's value leaves it, not even its length.
 */
export function readShownRows(content: Uint8Array, format: DeliveryFormat, request: RowRequest): ShownRows {
  const only = request.only === undefined ? undefined : new Set(request.only)
  const lastWanted = request.only === undefined ? Infinity : (request.only.at(-1) ?? 0)
  const rows: ShownRow[] = []
  let row = 0
  let bytes = 0
  try {
    const cursor = openers[format](content, request)
    while (row < lastWanted && cursor.next()) {
      row++
      if (row <= request.after || only?.has(row) === false) continue
      if (rows.length === request.limit) return { rows, broken: null, hasMore: true }
      const shown = { row, line: cursor.line(), values: cursor.values(), cells: cursor.cells() }
      bytes += Buffer.byteLength(JSON.stringify(shown))
      if (bytes > shownBytesMax && rows.length > 0) return { rows, broken: null, hasMore: true }
      rows.push(shown)
    }
    return { rows, broken: null, hasMore: false }
  } catch (error) {
    const isBroken =
      error instanceof JsonError ||
      error instanceof CsvError ||
      error instanceof SieError ||
      error instanceof BrokenRowsError
    if (!isBroken) throw error
    return { rows, broken: { row: row + 1, reason: error.message }, hasMore: false }
  }
}

const openers: Record<DeliveryFormat, (content: Uint8Array, request: RowRequest) => RowCursor> = {
  json: (content, request) => new JsonRowCursor(content, request),
  json_lines: (content, request) => new JsonLineCursor(content, request),
  csv: openCsv,
  sie: (content, { fields }) => new SieRowCursor(content, fields),
}

function showText(text: string, isMasked: boolean, isBroken = false): ShownValue | null {
  if (text === '') return null
  if (isMasked) return { masked: true }
  const value: ShownValue = {}
  if (text.length > shownCharactersMax && codePoints(text) > shownCharactersMax) {
    value.text = beginning(text)
    value.characters = codePoints(text)
  } else value.text = text
  if (isBroken) value.broken = true
  return value
}

/** The first characters of a text, none of them cut in two. */
function beginning(text: string): string {
  let end = 0
  for (let shown = 0; shown < shownCharactersMax; shown++) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return text.slice(0, end)
}

function isBrokenText(content: Uint8Array, start: number, end: number): boolean {
  return !isUtf8(content.subarray(start, end))
}

/** The members of objects that stand in the content. */
class JsonValues {
  readonly scanner: JsonScanner
  readonly #content: Uint8Array
  readonly #fields: readonly ShownField[]
  readonly #indexes: Map<string, number>
  readonly #members: ObjectCursor
  readonly #personal: PersonalNames

  constructor(content: Uint8Array, { fields, personalNames }: RowRequest) {
    this.scanner = new JsonScanner(content)
    this.#content = content
    this.#fields = fields
    this.#indexes = new Map(fields.map(({ name }, index) => [name, index]))
    this.#members = new ObjectCursor(content)
    this.#personal = createPersonalNames(personalNames)
  }

  /** Of the object that has been scanned, whose opening brace is at `at`. */
  at(at: number): (ShownValue | null)[] {
    const values: (ShownValue | null)[] = this.#fields.map(() => null)
    const members = this.#members
    members.open(at)
    while (members.next()) {
      const field = this.#indexes.get(jsonText(this.#content, members.keyStart, members.keyEnd))
      if (field !== undefined) values[field] = this.#value(field, members.valueStart, members.valueEnd)
    }
    return values
  }

  #value(field: number, start: number, end: number): ShownValue | null {
    const content = this.#content
    const isMasked = this.#fields[field]!.isMasked || this.#holdsPersonal(start, end)
    // `null` is a missing value [push.payload].
    if (content[start] === 0x6e) return null
    const raw = content[start] !== 0x22
    const text = raw
      ? Buffer.from(content.buffer, content.byteOffset + start, end - start).toString('utf8')
      : jsonText(content, start, end)
    return showText(text, isMasked, isBrokenText(content, start, end))
  }

  /** Whether an object or a list has a key somewhere inside that is a personal field's name: none of it was ever declared. */
  #holdsPersonal(start: number, end: number): boolean {
    const content = this.#content
    if (content[start] !== 0x7b && content[start] !== 0x5b) return false
    let at = start
    while (at < end) {
      if (content[at] !== 0x22) {
        at++
        continue
      }
      const stringEnd = skipValue(content, at)
      const isKey = content[skipSpace(content, stringEnd)] === 0x3a
      if (isKey && this.#personal.hasInside(jsonText(content, at, stringEnd))) return true
      at = stringEnd
    }
    return false
  }
}

/** One object, or a list of objects. */
class JsonRowCursor implements RowCursor {
  readonly #content: Uint8Array
  readonly #values: JsonValues
  /** The brace of the current row. */
  #start = -1
  /** Behind the current row, or where the content begins. */
  #at: number
  #isList = false

  constructor(content: Uint8Array, request: RowRequest) {
    this.#content = content
    this.#values = new JsonValues(content, request)
    this.#at = this.#values.scanner.skipSpace(0)
  }

  next(): boolean {
    const { scanner } = this.#values
    const content = this.#content
    if (this.#start < 0) {
      this.#isList = content[this.#at] === 0x5b
      if (this.#isList) {
        this.#at = scanner.skipSpace(this.#at + 1)
        if (content[this.#at] === 0x5d) return this.#end(this.#at + 1)
      }
    } else {
      this.#at = scanner.skipSpace(this.#at)
      if (!this.#isList) return this.#end(this.#at)
      if (content[this.#at] === 0x5d) return this.#end(this.#at + 1)
      if (content[this.#at] !== 0x2c) throw new JsonError('syntax', this.#at)
      this.#at = scanner.skipSpace(this.#at + 1)
    }
    this.#start = this.#at
    const end = scanner.scanValue(this.#start)
    if (content[this.#start] !== 0x7b) {
      throw new BrokenRowsError('The content is neither an object nor a list of objects.')
    }
    this.#at = end
    return true
  }

  line(): null {
    return null
  }

  values(): (ShownValue | null)[] {
    return this.#values.at(this.#start)
  }

  cells(): null {
    return null
  }

  #end(at: number): false {
    const end = this.#values.scanner.skipSpace(at)
    if (end < this.#content.length) throw new JsonError('syntax', end)
    return false
  }
}

const lineFeed = 0x0a

/** Each line that is not blank is one object. */
class JsonLineCursor implements RowCursor {
  readonly #content: Uint8Array
  readonly #values: JsonValues
  #line = 0
  #start = 0
  #at = 0

  constructor(content: Uint8Array, request: RowRequest) {
    this.#content = content
    this.#values = new JsonValues(content, request)
  }

  next(): boolean {
    const content = this.#content
    const { scanner } = this.#values
    while (this.#at < content.length) {
      this.#line++
      const found = content.indexOf(lineFeed, this.#at)
      const lineEnd = found < 0 ? content.length : found
      const start = Math.min(scanner.skipSpace(this.#at), lineEnd)
      this.#at = lineEnd + 1
      if (start === lineEnd) continue
      const end = scanner.scanValue(start)
      if (content[start] !== 0x7b) throw new BrokenRowsError(`Line ${this.#line} is not a JSON object.`)
      if (end > lineEnd || Math.min(scanner.skipSpace(end), lineEnd) < lineEnd) {
        throw new JsonError('syntax', Math.min(end, lineEnd))
      }
      this.#start = start
      return true
    }
    return false
  }

  line(): number {
    return this.#line
  }

  values(): (ShownValue | null)[] {
    return this.#values.at(this.#start)
  }

  cells(): null {
    return null
  }
}

function openCsv(content: Uint8Array, { fields }: RowRequest): RowCursor {
  const indexes = new Map(fields.map(({ name }, index) => [name, index]))
  const { names, delimiter, bodyStart, line } = readCsvHeader(content, (name) => indexes.has(name))
  const columns = names.map((name) => indexes.get(name) ?? -1)
  const records = new CsvCursor(content, bodyStart, delimiter, line)
  const isWhole = (): boolean => records.cells === columns.length
  return {
    next: () => records.next(),
    line: () => records.line,
    cells: () => (isWhole() ? null : records.cells),
    values: () => {
      // Which cell is personal cannot be told where they do not stand under their columns.
      if (!isWhole()) return null
      const values: (ShownValue | null)[] = fields.map(() => null)
      const { cellStarts, cellEnds } = records
      for (const [column, field] of columns.entries()) {
        if (field < 0) continue
        const [start, end] = [cellStarts[column]!, cellEnds[column]!]
        const isBroken = isBrokenText(content, start, end)
        values[field] = showText(csvText(content, start, end), fields[field]!.isMasked, isBroken)
      }
      return values
    },
  }
}

/** Each #TRANS line of a SIE file; only what is declared is shown. */
class SieRowCursor implements RowCursor {
  readonly #rows: SieRows
  readonly #fields: readonly ShownField[]

  constructor(content: Uint8Array, fields: readonly ShownField[]) {
    this.#rows = new SieRows(content)
    this.#fields = fields
  }

  next(): boolean {
    return this.#rows.next()
  }

  line(): number {
    return this.#rows.line
  }

  values(): (ShownValue | null)[] {
    return this.#fields.map(({ name, isMasked }) => {
      const field = sieRowFields.find((each) => each === name)
      return field === undefined ? null : showText(this.#rows.text(field), isMasked)
    })
  }

  cells(): null {
    return null
  }
}
