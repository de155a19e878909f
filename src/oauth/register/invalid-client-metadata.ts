import { OauthError } from '../oauth-error.ts'

/** 400 `invalid_client_metadata` (RFC 7591, 3.2.2). The sentence names the field. */
export function invalidClientMetadata(sentence: string): OauthError {
  return new OauthError('invalid_client_metadata', sentence)
}
