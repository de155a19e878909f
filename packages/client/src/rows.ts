import { Decimal, exactNumberText } from './decimal.ts'

interface TemporalValue {
  readonly [Symbol.toStringTag]: 'Temporal.Instant' | 'Temporal.ZonedDateTime' | 'Temporal.PlainDate'
  toString(options?: object): string
}

/**
 * A value of a row. A number has at most 15 digits, which a float holds exactly; for more, use a string, a bigint or a `Decimal`. Dates
 * become instants, `Temporal.PlainDate` a date alone. Null and undefined are missing values.
 */
export type Value = string | number | bigint | boolean | Decimal | Date | TemporalValue | null | undefined
export type Row = Readonly<Record<string, Value>>
export type Rows = Row | Iterable<Row> | AsyncIterable<Row>

/** Bytes that one delivery may have. */
export const deliveryBytesMax = 8_388_608

/** A value that would not arrive as it is. Thrown before anything is sent. */
export class InvalidRow extends TypeError {
  override readonly name = 'InvalidRow'
  /** Of the row, from 1. */
  readonly row: number
  readonly field: string | undefined

  constructor(message: string, row: number, field?: string) {
    super(`Row ${row}${field === undefined ? '' : `, field ${JSON.stringify(field)}`}: ${message}`)
    this.row = row
    this.field = field
  }
}

export const jsonHeaders = { 'content-type': 'application/json' }

/** The headers of a push whose body is the file. */
export function fileHeaders(key: string, shapeVersion: number | undefined): Record<string, string> {
  const version = shapeVersion === undefined ? {} : { 'x-service-shape-version': `${shapeVersion}` }
  return { 'content-type': 'application/octet-stream', 'idempotency-key': key, ...version }
}

/**
 * The body of a push, in UTF-8. The same bytes are sent in every attempt.
 *
 * @throws InvalidRow for a value that cannot be sent exactly, and for rows that are more than one delivery may have
 */
export async function writePush(
  key: string,
  shapeVersion: number,
  rows: Rows,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!Number.isSafeInteger(shapeVersion) || shapeVersion < 1) {
    throw new InvalidRow('`shapeVersion` must be a whole number from 1', 0)
  }
  const head = `{"idempotency_key":${JSON.stringify(key)},"shape_version":${shapeVersion},"payload":`
  const encoder = new TextEncoder()
  if (!isIterable(rows)) return within(encoder.encode(`${head}${writeRow(rows, 1)}}`), 1)
  const texts: string[] = []
  let characters = head.length
  for await (const row of rows) {
    signal?.throwIfAborted()
    const text = writeRow(row, texts.length + 1)
    texts.push(text)
    characters += text.length + 1
    // A character has at least one byte.
    if (characters > deliveryBytesMax) throw tooMany(texts.length)
  }
  return within(encoder.encode(`${head}[${texts.join(',')}]}`), texts.length)
}

function within(bytes: Uint8Array<ArrayBuffer>, rows: number): Uint8Array<ArrayBuffer> {
  if (bytes.length > deliveryBytesMax) throw tooMany(rows)
  return bytes
}

const tooMany = (row: number): InvalidRow =>
  new InvalidRow(
    `the rows exceed the ${deliveryBytesMax} bytes of one delivery: push them in parts, each with its key`,
    row,
  )

function isIterable(rows: Rows): rows is Iterable<Row> | AsyncIterable<Row> {
  return Symbol.iterator in rows || Symbol.asyncIterator in rows
}

function writeRow(row: unknown, number: number): string {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new InvalidRow('it is not an object', number)
  }
  const members: string[] = []
  for (const [field, value] of Object.entries(row)) {
    if (value === undefined) continue
    const text = value === null ? 'null' : JSON.stringify(writeValue(value, number, field))
    members.push(`${JSON.stringify(field)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** RFC 3339 without its offset. */
const localTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]*)?)?$/

function writeValue(value: unknown, row: number, field: string): string {
  switch (typeof value) {
    case 'string':
      if (value[4] === '-' && localTime.test(value))
        throw new InvalidRow('the time has no offset', row, field)
      return value
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return writeDecimal(Decimal.from(value), row, field)
    case 'number': {
      const text = exactNumberText(value)
      if (text !== undefined) return writeDecimal(Decimal.from(text), row, field)
      throw new InvalidRow(
        `the number ${value} is not exact to 15 digits: send a string or a Decimal`,
        row,
        field,
      )
    }
    case 'object':
      if (value instanceof Decimal) return writeDecimal(value, row, field)
      return writeTime(value as object, row, field)
    default:
      throw new InvalidRow(`a ${typeof value} cannot be sent`, row, field)
  }
}

function writeDecimal(value: Decimal, row: number, field: string): string {
  if (value.fitsRow) return value.toString()
  throw new InvalidRow('the number has more than 38 digits, or more than 18 decimals', row, field)
}

function writeTime(value: object, row: number, field: string): string {
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? '' : value.toISOString()
    if (/^[0-9]/.test(text)) return text
    throw new InvalidRow('the date is invalid', row, field)
  }
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (tag === 'Temporal.Instant') return `${value}`
  if (tag === 'Temporal.ZonedDateTime' || tag === 'Temporal.PlainDate') {
    return (value as TemporalValue).toString({ timeZoneName: 'never', calendarName: 'never' })
  }
  const isLocal = tag === 'Temporal.PlainDateTime' || tag === 'Temporal.PlainTime'
  throw new InvalidRow(isLocal ? 'the time has no offset' : 'an object or a list cannot be sent', row, field)
}
