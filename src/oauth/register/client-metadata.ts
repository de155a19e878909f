import { invalidClientMetadata } from '../errors.ts'
import type { RedirectRules } from './check-redirect-uri.ts'
import { readClientName } from './read-client-name.ts'
import type { JsonObject } from './read-json-object.ts'
import { readRedirectUris } from './read-redirect-uris.ts'

export const appGrantTypes = ['authorization_code', 'refresh_token'] as const
export const appResponseTypes = ['code'] as const

/** What is stored of a registration, in its own names (RFC 7591, 2). */
export interface ClientMetadata {
  client_name: string
  redirect_uris: string[]
  grant_types: (typeof appGrantTypes)[number][]
  response_types: (typeof appResponseTypes)[number][]
  token_endpoint_auth_method: 'none'
}

/** Specification "POST /oauth/register": each would prove who an app is, or have this service fetch something. */
const unsupportedFields = [
  'jwks_uri',
  'jwks',
  'request_uris',
  'sector_identifier_uri',
  'software_statement',
] as const

/** @throws `invalid_client_metadata` that names the first one present; `null` counts as absent */
function refuseUnsupportedFields(fields: JsonObject): void {
  const found = unsupportedFields.find((name) => (fields[name] ?? null) !== null)
  if (found !== undefined) throw invalidClientMetadata(`${found} is not accepted: leave it out.`)
}

/**
 * A field that lists some of what the service supports, such as `grant_types`. Absent, `null` or empty, it stands for
 * all of it. The values come back in the service's order, each once.
 *
 * @throws `invalid_client_metadata` that names the field
 */
function readSupportedValues<Value extends string>(
  fields: JsonObject,
  name: string,
  supported: readonly Value[],
): Value[] {
  const value = fields[name] ?? []
  const known = (item: unknown): boolean => supported.some((each) => each === item)
  if (!Array.isArray(value) || !value.every(known)) {
    throw invalidClientMetadata(`${name} must be a list of ${supported.join(' and ')}, or be left out.`)
  }
  return value.length === 0 ? [...supported] : supported.filter((each) => value.includes(each))
}

/**
 * `token_endpoint_auth_method`: apps are public clients and have no secret (OAuth 2.1, 2.4).
 *
 * @throws `invalid_client_metadata` for every method but `none`
 */
function readAuthMethod(value: unknown): 'none' {
  if ((value ?? 'none') !== 'none')
    throw invalidClientMetadata('token_endpoint_auth_method may only be none: an app has no secret.')
  return 'none'
}

/**
 * Every field rule of registration (specification "POST /oauth/register"). Fields that it does not name are ignored.
 * Pure.
 *
 * @throws `invalid_client_metadata` or `invalid_redirect_uri`, with a sentence that names the field
 */
export function readClientMetadata(fields: JsonObject, rules: RedirectRules): ClientMetadata {
  refuseUnsupportedFields(fields)
  return {
    client_name: readClientName(fields['client_name']),
    redirect_uris: readRedirectUris(fields['redirect_uris'], rules),
    grant_types: readSupportedValues(fields, 'grant_types', appGrantTypes),
    response_types: readSupportedValues(fields, 'response_types', appResponseTypes),
    token_endpoint_auth_method: readAuthMethod(fields['token_endpoint_auth_method']),
  }
}
