import { isUtf8 } from 'node:buffer'
import { checkJson } from '../../formats/json/check-json.ts'
import { describeJsonError } from '../../formats/json/describe-json-error.ts'
import { JsonError } from '../../formats/json/json-error.ts'
import { readMediaType } from '../../platform/http/requests/media-type.ts'
import { OauthError } from '../oauth-error.ts'
import { checkRedirectUri, type RedirectRules } from './check-redirect-uri.ts'

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

/** The members of a JSON object, parsed but not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>

/** 400 (RFC 7591, 3.2.2). */
function invalidMetadata(sentence: string): OauthError {
  return new OauthError('invalid_client_metadata', sentence)
}

/** Our own parser says where the fault is; it refuses nearly everything that the engine's does. */
function explainJson(body: Uint8Array): string {
  if (body.length === 0) return 'The body is empty: send the metadata as a JSON object.'
  try {
    if (isUtf8(body)) checkJson(body)
    return 'The body is not valid JSON in UTF-8.'
  } catch (error) {
    if (error instanceof JsonError) return describeJsonError(error, body)
    throw error
  }
}

/**
 * Parses a body that must be one JSON object in UTF-8 (RFC 7591, 3.1).
 *
 * @throws `invalid_client_metadata`, also for another media type
 */
export function readJsonObject(
  contentType: string | undefined,
  body: Uint8Array = new Uint8Array(),
): JsonObject {
  const media = readMediaType(contentType)
  if (media?.essence !== 'application/json' || !media.isUtf8) {
    throw invalidMetadata('The Content-Type must be application/json: a registration is not a form.')
  }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalidMetadata(explainJson(body))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidMetadata('The body must be a JSON object.')
  }
  return value as JsonObject
}

/** Specification "POST /oauth/register": each would prove who an app is, or make this service fetch something. */
const unsupportedFields = [
  'jwks_uri',
  'jwks',
  'request_uris',
  'sector_identifier_uri',
  'software_statement',
] as const

/** In code points. */
export const clientNameCharactersMax = 100

/**
 * Control and formatting characters, among them those that reverse the direction of writing, have no width or break the
 * line; and half a surrogate pair, which is not text.
 */
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
/** The Braille pattern without dots is blank too, though its category is symbol. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u

/** What the member reads on the consent page, stored as it was sent. */
function readClientName(value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw invalidMetadata('client_name is missing: it is the name of the app that members read, as text.')
  if ([...value].length > clientNameCharactersMax) {
    throw invalidMetadata(`client_name may have at most ${clientNameCharactersMax} characters.`)
  }
  if (unshowable.test(value)) {
    throw invalidMetadata('client_name may not contain control or formatting characters.')
  }
  if (!visible.test(value)) throw invalidMetadata('client_name must have a visible character.')
  return value
}

/** Redirect addresses of an app; more are 400 `invalid_redirect_uri`. */
export const addressesMax = 10

/** Each address is stored as it was sent; one that is given twice is stored once. @throws `invalid_redirect_uri` [oauth.codes] */
function readRedirectUris(value: unknown, rules: RedirectRules): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > addressesMax) {
    throw new OauthError(
      'invalid_redirect_uri',
      `redirect_uris must be a list of one to ${addressesMax} addresses, even for one.`,
    )
  }
  for (const [index, uri] of value.entries()) checkRedirectUri(uri, `redirect_uris[${index}]`, rules)
  return [...new Set(value as string[])]
}

/**
 * A field that lists some of what the service supports, such as `grant_types`. Absent, `null` or empty, it means all of it.
 * The values are returned in the service's order, each once.
 */
function readSupportedValues<Value extends string>(
  fields: JsonObject,
  name: string,
  supported: readonly Value[],
): Value[] {
  const value = fields[name] ?? []
  const isSupported = (item: unknown): boolean => supported.some((each) => each === item)
  if (!Array.isArray(value) || !value.every(isSupported)) {
    throw invalidMetadata(`${name} must be a list of ${supported.join(' and ')}, or be left out.`)
  }
  return value.length === 0 ? [...supported] : supported.filter((each) => value.includes(each))
}

/**
 * Every rule for the fields of a registration (specification "POST /oauth/register"). Unknown fields are ignored. Pure.
 *
 * @throws `invalid_client_metadata` or `invalid_redirect_uri`, with a sentence that names the field
 */
export function readClientMetadata(fields: JsonObject, rules: RedirectRules): ClientMetadata {
  const unsupported = unsupportedFields.find((name) => (fields[name] ?? null) !== null)
  if (unsupported !== undefined) throw invalidMetadata(`${unsupported} is not accepted: leave it out.`)
  const metadata = {
    client_name: readClientName(fields['client_name']),
    redirect_uris: readRedirectUris(fields['redirect_uris'], rules),
    grant_types: readSupportedValues(fields, 'grant_types', appGrantTypes),
    response_types: readSupportedValues(fields, 'response_types', appResponseTypes),
    token_endpoint_auth_method: 'none',
  } as const
  // Apps are public clients (OAuth 2.1, 2.4).
  if ((fields['token_endpoint_auth_method'] ?? 'none') !== 'none')
    throw invalidMetadata('token_endpoint_auth_method may only be none: an app has no secret.')
  return metadata
}
