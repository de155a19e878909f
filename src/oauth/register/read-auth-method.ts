import { invalidClientMetadata } from './invalid-client-metadata.ts'

/**
 * `token_endpoint_auth_method`: apps are public clients and have no secret (OAuth 2.1, 2.4).
 *
 * @throws `invalid_client_metadata` for every method but `none`
 */
export function readAuthMethod(value: unknown): 'none' {
  if ((value ?? 'none') !== 'none') throw invalidClientMetadata('token_endpoint_auth_method may be none.')
  return 'none'
}
