/**
 * Array parameters in PostgreSQL's binary format (`array_send` in `src/backend/utils/adt/arrayfuncs.c`):
 * dimensions, a flag for nulls, the element type, length and lower bound, then each element's length and bytes.
 * The driver sends a Buffer as a binary parameter; the text form of the same array costs quoting here and
 * parsing there, and a `bytea[]` doubles in size.
 *
 * The element type must be the parameter's own, so cast it: `unnest($1::uuid[])`.
 */

// Object identifiers of the element types (`pg_type.dat`).
const oids = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, date: 1082, timestamptz: 1184, uuid: 2950 }

const headerBytes = 20
const emptyHeaderBytes = 12
/** PostgreSQL counts its days and microseconds from 2000-01-01. */
const epochMs = 946_684_800_000
const dayMs = 86_400_000

type Elements<T> = readonly (T | null)[]

function allocate(oid: number, count: number, elementBytes: number, hasNull: boolean): Buffer {
  if (count === 0) {
    const empty = Buffer.alloc(emptyHeaderBytes)
    empty.writeInt32BE(oid, 8)
    return empty
  }
  const buffer = Buffer.allocUnsafe(headerBytes + 4 * count + elementBytes)
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(hasNull ? 1 : 0, 4)
  buffer.writeInt32BE(oid, 8)
  buffer.writeInt32BE(count, 12)
  buffer.writeInt32BE(1, 16)
  return buffer
}

/** An array whose elements all have the same number of bytes. */
function fixedArray<T>(
  oid: number,
  bytes: number,
  elements: Elements<T>,
  write: (buffer: Buffer, element: T, at: number) => void,
): Buffer {
  let nulls = 0
  for (const element of elements) if (element === null) nulls++
  const buffer = allocate(oid, elements.length, bytes * (elements.length - nulls), nulls > 0)
  let at = headerBytes
  for (const element of elements) {
    if (element === null) {
      at = buffer.writeInt32BE(-1, at)
      continue
    }
    at = buffer.writeInt32BE(bytes, at)
    write(buffer, element, at)
    at += bytes
  }
  return buffer
}

const hexDigit = new Int8Array(128).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  hexDigit['0123456789abcdef'.charCodeAt(digit)] = digit
  hexDigit['0123456789ABCDEF'.charCodeAt(digit)] = digit
}

function writeUuid(buffer: Buffer, uuid: string, start: number): void {
  let at = start
  let valid = uuid.length === 36
  for (let index = 0; valid && index < 36; index += 2) {
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      valid = uuid.charCodeAt(index) === 45
      index++
    }
    const high = hexDigit[uuid.charCodeAt(index)] ?? -1
    const low = hexDigit[uuid.charCodeAt(index + 1)] ?? -1
    valid &&= high >= 0 && low >= 0
    buffer[at++] = (high << 4) | low
  }
  if (!valid) throw new TypeError('not a uuid')
}

function writeInteger(buffer: Buffer, value: bigint | number | string, at: number): void {
  if (typeof value !== 'number') {
    buffer.writeBigInt64BE(BigInt(value), at)
    return
  }
  if (!Number.isSafeInteger(value)) throw new TypeError('not a safe integer')
  // A `bigint` per number would cost more than everything else.
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at)
  buffer.writeInt32BE(value | 0, at + 4)
}

/** For `uuid[]`; throws a TypeError on text that is not a UUID with its four dashes. */
export function uuidArray(uuids: Elements<string>): Buffer {
  let previous = ''
  let previousAt = 0
  return fixedArray(oids.uuid, 16, uuids, (buffer, uuid, at) => {
    // Rows of one company or one delivery are adjacent.
    if (uuid === previous) buffer.copyWithin(at, previousAt, previousAt + 16)
    else writeUuid(buffer, uuid, at)
    previous = uuid
    previousAt = at
  })
}

/** For `uuid[]`: elements cut out of one buffer, each the 16 bytes from `16 × place`. */
export function uuidArrayFrom(uuids: Buffer, places: readonly number[]): Buffer {
  return fixedArray(oids.uuid, 16, places, (buffer, place, at) =>
    uuids.copy(buffer, at, place * 16, place * 16 + 16),
  )
}

/** For `int4[]`; throws a RangeError outside ±2³¹. */
export function int4Array(integers: Elements<number>): Buffer {
  return fixedArray(oids.int4, 4, integers, (buffer, integer, at) => {
    if (!Number.isInteger(integer)) throw new TypeError('not an integer')
    buffer.writeInt32BE(integer, at)
  })
}

/** For `int8[]`; numbers must be safe integers. */
export function int8Array(integers: Elements<bigint | number | string>): Buffer {
  return fixedArray(oids.int8, 8, integers, writeInteger)
}

/** For `bool[]`. */
export function boolArray(booleans: Elements<boolean>): Buffer {
  return fixedArray(oids.bool, 1, booleans, (buffer, boolean, at) => {
    buffer[at] = boolean ? 1 : 0
  })
}

/** For `timestamptz[]`: dates, or whole milliseconds since 1970. */
export function timestamptzArray(instants: Elements<Date | number>): Buffer {
  return fixedArray(oids.timestamptz, 8, instants, (buffer, instant, at) => {
    const microseconds = 1_000 * (Number(instant) - epochMs)
    writeInteger(
      buffer,
      Number.isSafeInteger(microseconds) ? microseconds : 1_000n * BigInt(Number(instant) - epochMs),
      at,
    )
  })
}

/** For `date[]`: days as `YYYY-MM-DD`, years 0000 to 9999. */
export function dateArray(days: Elements<string>): Buffer {
  let previous = ''
  let number = 0
  return fixedArray(oids.date, 4, days, (buffer, day, at) => {
    if (day !== previous) number = toDays(day)
    previous = day
    buffer.writeInt32BE(number, at)
  })
}

function toDays(day: string): number {
  const instant = new Date(day.length === 10 ? `${day}T00:00:00Z` : Number.NaN)
  // The thirtieth of February parses as another day.
  if (instant.getUTCDate() !== Number(day.slice(8))) throw new TypeError('not a day')
  return (instant.getTime() - epochMs) / dayMs
}

/**
 * For `text[]`. A lone surrogate throws a TypeError, since encoding would store a different text; NUL is left for the
 * server to refuse.
 */
export function textArray(texts: Elements<string>): Buffer {
  let bytes = 0
  let hasNull = false
  for (const text of texts) {
    if (text === null) hasNull = true
    else if (text.isWellFormed()) bytes += Buffer.byteLength(text)
    else throw new TypeError('text with a lone surrogate')
  }
  const buffer = allocate(oids.text, texts.length, bytes, hasNull)
  let at = headerBytes
  for (const text of texts) {
    if (text === null) {
      at = buffer.writeInt32BE(-1, at)
      continue
    }
    const written = buffer.write(text, at + 4)
    buffer.writeInt32BE(written, at)
    at += 4 + written
  }
  return buffer
}

/** For `bytea[]`. For many bodies, one parameter with offsets (`substring($1 from o for l)`) is cheaper still. */
export function byteaArray(blobs: Elements<Uint8Array>): Buffer {
  let bytes = 0
  let hasNull = false
  for (const blob of blobs) {
    if (blob === null) hasNull = true
    else bytes += blob.byteLength
  }
  const buffer = allocate(oids.bytea, blobs.length, bytes, hasNull)
  let at = headerBytes
  for (const blob of blobs) {
    at = buffer.writeInt32BE(blob === null ? -1 : blob.byteLength, at)
    if (blob === null) continue
    buffer.set(blob, at)
    at += blob.byteLength
  }
  return buffer
}
