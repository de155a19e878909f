import { OauthError } from '../oauth-error.ts'

/** 400 `invalid_client_metadata` (RFC 7591, 3.2.2). The sentence names the field. */
export const invalidClientMetadata = (sentence: string): OauthError =>
  new OauthError('invalid_client_metadata', sentence)
