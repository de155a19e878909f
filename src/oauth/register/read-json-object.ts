import { isUtf8 } from 'node:buffer'
import { checkJson } from '../../json/check-json.ts'
import { describeJsonError } from '../../json/describe-json-error.ts'
import { JsonError } from '../../json/json-error.ts'
import { readMediaType } from '../../http/media-type.ts'
import { invalidClientMetadata } from '../errors.ts'

/** The members of a JSON object, parsed but not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Our own parser says where; it refuses nearly all that the engine's does. */
function explain(body: Uint8Array): string {
  if (body.length === 0) return 'The body is empty: send the metadata as a JSON object.'
  try {
    if (isUtf8(body)) checkJson(body)
    return 'The body is not valid JSON in UTF-8.'
  } catch (error) {
    if (error instanceof JsonError) return describeJsonError(error, body)
    throw error
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalidClientMetadata(explain(body))
  }
}

/**
 * Parses a body that must be one JSON object (RFC 7591, 3.1). `body` is undefined where none was sent.
 *
 * @throws `invalid_client_metadata` for another media type, for anything but JSON in UTF-8, and for another JSON value
 */
export function readJsonObject(contentType: string | undefined, body: Uint8Array | undefined): JsonObject {
  const media = readMediaType(contentType)
  if (media?.essence !== 'application/json' || !media.isUtf8) {
    throw invalidClientMetadata('The Content-Type must be application/json: a registration is no form.')
  }
  const value = parse(body ?? new Uint8Array())
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidClientMetadata('The body must be a JSON object.')
  }
  return value as JsonObject
}
