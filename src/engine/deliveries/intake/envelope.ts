import { isUtf8 } from 'node:buffer'
import { checkJson, type CheckedJson } from '../../../formats/json/check-json.ts'
import { describeJsonError } from '../../../formats/json/describe-json-error.ts'
import { JsonError } from '../../../formats/json/json-error.ts'
import { jsonText } from '../../../formats/json/json-text.ts'
import { ObjectCursor } from '../../../formats/json/object-cursor.ts'
import { DeliveryError } from './delivery-error.ts'
import { checkIdempotencyKey } from './idempotency-key.ts'
import { notUtf8, recogniseFile } from './recognise-file.ts'
import { shapeVersionFault } from './shape-version.ts'

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
  if (body.length === 0)
    throw new DeliveryError(
      'The body is empty: send a JSON object with idempotency_key, shape_version and payload.',
      'body',
    )
  const file = recogniseFile(body)
  if (file !== undefined) throw new DeliveryError(file, 'body')
  if (!isUtf8(body)) throw new DeliveryError(notUtf8(body), 'body')
  try {
    return checkJson(body)
  } catch (error) {
    if (error instanceof JsonError) throw new DeliveryError(describeJsonError(error, body), 'body')
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
 * Searches only the key: for many keys, searching to the end of the body each time would take quadratic time.
 */
function hasEscape(body: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (body[at] === 0x5c) return true
  return false
}

function readKey(body: Uint8Array, start: number, end: number): string {
  if (body[start] !== 0x22)
    throw new DeliveryError('idempotency_key is not text: put it in quotes.', 'idempotency_key')
  return checkIdempotencyKey(jsonText(body, start, end), 'idempotency_key')
}

/** A JSON integer of at least 1, written without sign, fraction or exponent. */
function readVersion(body: Uint8Array, start: number, end: number, currentVersion: number): number {
  let version = 0
  for (let at = start; at < end; at++) {
    const digit = body[at]! - 0x30
    if (digit < 0 || digit > 9 || at - start >= versionDigitsMax) {
      version = 0
      break
    }
    version = version * 10 + digit
  }
  if (version < 1) throw shapeVersionFault('shape_version', currentVersion, body[start] === 0x22)
  return version
}

function missing(member: string, what: string): DeliveryError {
  return new DeliveryError(
    `${member} is missing: it is ${what}, in the outermost object of the body.`,
    member,
  )
}

/**
 * Parses the envelope of a JSON push: strict JSON, its three members present and of the right types. Other members are
 * allowed and ignored. The contents of the payload are not read. Throws a `DeliveryError`.
 *
 * @param currentVersion of the source's shape, for the error about a version that cannot be one
 */
export function readEnvelope(body: Uint8Array, currentVersion: number): Envelope {
  const { start } = checkBody(body)
  if (body[start] !== 0x7b) {
    throw new DeliveryError(
      'The body is not a JSON object with idempotency_key, shape_version and payload.',
      'body',
    )
  }

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
      shapeVersion = readVersion(body, valueStart, valueEnd, currentVersion)
    } else if (isKey(body, keyStart, keyEnd, 'payload')) {
      payloadStart = valueStart
      payloadEnd = valueEnd
    }
  }
  if (idempotencyKey === undefined) throw missing('idempotency_key', 'a text that names this delivery')
  if (shapeVersion === undefined)
    throw missing('shape_version', 'the whole number that the page of the source shows')
  if (payloadStart < 0) throw missing('payload', 'a row or a list of rows')
  return { idempotencyKey, shapeVersion, payloadStart, payloadEnd }
}
