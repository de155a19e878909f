import { isUtf8 } from 'node:buffer'
import { checkJson, type CheckedJson } from '../../json/check-json.ts'
import { JsonError } from '../../json/json-error.ts'
import { jsonText } from '../../json/json-text.ts'
import { ObjectCursor } from '../../json/object-cursor.ts'
import { DeliveryError } from './delivery-error.ts'
import { checkIdempotencyKey } from './idempotency-key.ts'

/** The members of a pushed body. Positions are byte offsets into it. */
export interface Envelope {
  idempotencyKey: string
  shapeVersion: number
  payloadStart: number
  payloadEnd: number
}

/** Enough for any version that a source can have; larger numbers need not be exact. */
const versionDigitsMax = 9

function checkBody(body: Uint8Array): CheckedJson {
  if (body.length === 0) throw new DeliveryError('The body is empty.', 'body')
  if (!isUtf8(body)) throw new DeliveryError('The body is not UTF-8.', 'body')
  try {
    return checkJson(body)
  } catch (error) {
    if (error instanceof JsonError) throw new DeliveryError(error.message, 'body')
    throw error
  }
}

/** Whether the key in `body[start, end)`, quotes included, is `name`, with or without escapes. */
function isKey(body: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start === name.length + 2) {
    let same = 0
    while (same < name.length && body[start + 1 + same] === name.charCodeAt(same)) same++
    return same === name.length
  }
  // With escapes it is longer, by at most five bytes a character.
  return (
    end - start > name.length + 2 &&
    end - start <= 6 * name.length + 2 &&
    hasEscape(body, start, end) &&
    jsonText(body, start, end) === name
  )
}

/**
 * Searches the key alone: for many keys, searching to the end of the body each time would take quadratic time.
 */
function hasEscape(body: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (body[at] === 0x5c) return true
  return false
}

function readKey(body: Uint8Array, start: number, end: number): string {
  if (body[start] !== 0x22) throw new DeliveryError('idempotency_key is not a string.', 'idempotency_key')
  return checkIdempotencyKey(jsonText(body, start, end), 'idempotency_key')
}

/** A JSON integer of at least 1, written without sign, fraction or exponent. */
function readVersion(body: Uint8Array, start: number, end: number): number {
  let version = 0
  for (let at = start; at < end; at++) {
    const digit = body[at]! - 0x30
    if (digit < 0 || digit > 9 || at - start >= versionDigitsMax) {
      version = 0
      break
    }
    version = version * 10 + digit
  }
  if (version < 1)
    throw new DeliveryError('shape_version is not a shape version of the source.', 'shape_version')
  return version
}

/**
 * Parses the envelope of a JSON push: strict JSON, its three members present and of the right types. Other members are
 * allowed and ignored. The contents of the payload are not looked at. Throws a `DeliveryError`.
 */
export function readEnvelope(body: Uint8Array): Envelope {
  const { start } = checkBody(body)
  if (body[start] !== 0x7b) throw new DeliveryError('The body is not a JSON object.', 'body')

  let idempotencyKey: string | undefined
  let shapeVersion: number | undefined
  let payloadStart = -1
  let payloadEnd = -1
  const members = new ObjectCursor(body)
  members.open(start)
  while (members.next()) {
    const { keyStart, keyEnd, valueStart, valueEnd } = members
    if (isKey(body, keyStart, keyEnd, 'idempotency_key')) idempotencyKey = readKey(body, valueStart, valueEnd)
    else if (isKey(body, keyStart, keyEnd, 'shape_version')) {
      shapeVersion = readVersion(body, valueStart, valueEnd)
    } else if (isKey(body, keyStart, keyEnd, 'payload')) {
      payloadStart = valueStart
      payloadEnd = valueEnd
    }
  }
  if (idempotencyKey === undefined) throw new DeliveryError('idempotency_key is missing.', 'idempotency_key')
  if (shapeVersion === undefined) throw new DeliveryError('shape_version is missing.', 'shape_version')
  if (payloadStart < 0) throw new DeliveryError('payload is missing.', 'payload')
  return { idempotencyKey, shapeVersion, payloadStart, payloadEnd }
}
