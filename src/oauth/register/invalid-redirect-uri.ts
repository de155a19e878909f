import { OauthError } from '../oauth-error.ts'

/** 400 `invalid_redirect_uri` (RFC 7591, 3.2.2). */
export function invalidRedirectUri(sentence: string): OauthError {
  return new OauthError('invalid_redirect_uri', sentence)
}
