import type { RedirectRules } from './check-redirect-uri.ts'
import { readAuthMethod } from './read-auth-method.ts'
import { readClientName } from './read-client-name.ts'
import type { JsonObject } from './read-json-object.ts'
import { readRedirectUris } from './read-redirect-uris.ts'
import { readSupportedValues } from './read-supported-values.ts'
import { refuseUnsupportedFields } from './refuse-unsupported-fields.ts'

export const appGrantTypes = ['authorization_code', 'refresh_token'] as const
export const appResponseTypes = ['code'] as const

/** What is kept of a registration, in its own names (RFC 7591, 2). */
export interface ClientMetadata {
  client_name: string
  redirect_uris: string[]
  grant_types: (typeof appGrantTypes)[number][]
  response_types: (typeof appResponseTypes)[number][]
  token_endpoint_auth_method: 'none'
}

/**
 * Every field rule of registration (specification "POST /oauth/register"). Fields that it does not name are ignored. Pure.
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
