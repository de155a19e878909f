/** The rows of stored content as the developer page shows them: pure, and at most one page. */
import { type Format, formats } from '../../../engine/formats/formats.ts'
import { codePoints } from '../../../engine/fields/field-value.ts'
import { FormatError } from '../../../formats/documents/format-error.ts'
import type { RowCursor, RowValue } from '../../../formats/documents/row-cursor.ts'
import { jsonText } from '../../../formats/json/json-text.ts'
import { skipSpace } from '../../../formats/json/skip-space.ts'
import { skipValue } from '../../../formats/json/skip-value.ts'
import { createPersonalNames, type PersonalNames } from '../../values/personal-names.ts'

/** Characters of a value that are shown; a longer one is cut, and its length given. */
export const shownCharactersMax = 1_000

/** Approximate size of a page's rows as JSON: a page ends before it is exceeded, but always has its first row. */
export const shownBytesMax = 2_097_152

/** A field of the version that the delivery is parsed under. */
export interface ShownField {
  name: string
  /** Its values are not shown. */
  isMasked: boolean
}

/** A row's value of a field. Has exactly one of `text` and `masked`. */
interface ShownValue {
  text?: string
  /** The full length, if `text` was cut. */
  characters?: number
  masked?: true
  /** Some bytes are not UTF-8. */
  broken?: true
}

export interface ShownRow {
  /** From 1, as in refusals. */
  row: number
  line: number | null
  /** By field; null for a missing one. Null as a whole for a record whose cells belong to no column. */
  values: (ShownValue | null)[] | null
  /** The number of cells of such a record. */
  cells: number | null
}

export interface ShownRows {
  rows: ShownRow[]
  /** Where the content is broken: rows from there on are not shown. */
  broken: { row: number; reason: string } | null
  hasMore: boolean
}

export interface RowRequest {
  fields: readonly ShownField[]
  /**
   * Names of personal fields, whether or not they are among `fields`: members of that name inside other values are masked
   * too.
   */
  personalNames: readonly string[]
  /** The last row of the page before; 0 for the first page. */
  after: number
  limit: number
  /** Restricts the page to these rows, in ascending order. */
  only?: readonly number[]
}

/**
 * Reads one page of rows, as far as the content can be read. Takes time in proportion to the content before the page's end.
 * Reveals nothing about the value of a masked field, not even its length.
 */
export function readShownRows(content: Uint8Array, format: Format, request: RowRequest): ShownRows {
  const only = request.only === undefined ? undefined : new Set(request.only)
  const lastWanted = request.only === undefined ? Infinity : (request.only.at(-1) ?? 0)
  const declared = new Set(request.fields.map(({ name }) => name))
  const personal = createPersonalNames(request.personalNames)
  const rows: ShownRow[] = []
  let row = 0
  let bytes = 0
  try {
    const cursor = formats[format].openRows(content, (name) => declared.has(name))
    while (row < lastWanted && cursor.next()) {
      row++
      if (row <= request.after || only?.has(row) === false) continue
      if (rows.length === request.limit) return { rows, broken: null, hasMore: true }
      const { line, strayCells } = cursor
      // Without columns it is unknown which cell is personal.
      const values = strayCells === null ? showValues(cursor.values(), request.fields, personal) : null
      const shown = { row, line, values, cells: strayCells }
      bytes += Buffer.byteLength(JSON.stringify(shown))
      if (bytes > shownBytesMax && rows.length > 0) return { rows, broken: null, hasMore: true }
      rows.push(shown)
    }
    return { rows, broken: null, hasMore: false }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { rows, broken: { row: row + 1, reason: error.message }, hasMore: false }
  }
}

function showValues(
  values: ReturnType<RowCursor['values']>,
  fields: readonly ShownField[],
  personal: PersonalNames,
): (ShownValue | null)[] {
  return fields.map(({ name, isMasked }) => {
    const value = values.get(name)
    // `null` is a missing value [push.payload].
    return value ? showValue(value, isMasked || hasPersonalInside(value, personal)) : null
  })
}

function showValue({ text, isBroken }: RowValue, isMasked: boolean): ShownValue | null {
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

/** The first characters of a text, never half a surrogate pair. */
function beginning(text: string): string {
  let end = 0
  for (let shown = 0; shown < shownCharactersMax; shown++) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** Whether an object or a list contains, at any depth, a key with a personal field's name. */
function hasPersonalInside({ text, isNested }: RowValue, personal: PersonalNames): boolean {
  if (!isNested) return false
  const content = Buffer.from(text)
  let at = 0
  while (at < content.length) {
    if (content[at] !== 0x22) {
      at++
      continue
    }
    const stringEnd = skipValue(content, at)
    const isKey = content[skipSpace(content, stringEnd)] === 0x3a
    if (isKey && personal.hasInside(jsonText(content, at, stringEnd))) return true
    at = stringEnd
  }
  return false
}
