import { invalidClientMetadata } from './invalid-client-metadata.ts'
import type { JsonObject } from './read-json-object.ts'

/** Specification "POST /oauth/register": each would let an app be somebody, or have us fetch something. */
const unsupportedFields = [
  'jwks_uri',
  'jwks',
  'request_uris',
  'sector_identifier_uri',
  'software_statement',
] as const

/** @throws `invalid_client_metadata` that names the first one that is there; `null` is as good as absent */
export function refuseUnsupportedFields(fields: JsonObject): void {
  const found = unsupportedFields.find((name) => (fields[name] ?? null) !== null)
  if (found !== undefined) throw invalidClientMetadata(`${found} is not taken.`)
}
