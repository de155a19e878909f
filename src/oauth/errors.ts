/** Every error that an OAuth endpoint answers with; those of a redirect are in `redirect-error.ts`. */
import { OauthError } from './oauth-error.ts'

/** 400 (RFC 6749, 5.2): a parameter is missing, malformed or given twice. The sentence names it. */
export function invalidRequest(sentence: string): OauthError {
  return new OauthError('invalid_request', sentence)
}

/**
 * 401 (RFC 6749, 5.2), the same whatever is wrong with the id or secret. It names the Basic scheme only to
 * a client that used `Authorization` [oauth.basic-auth]: a browser would ask its user for a password otherwise.
 */
export function invalidClient(
  usedAuthorization: boolean,
  sentence = 'The client is unknown, or its credentials are not valid.',
): OauthError {
  return new OauthError('invalid_client', sentence, {
    headers: usedAuthorization ? { 'WWW-Authenticate': 'Basic realm="numera", charset="UTF-8"' } : {},
  })
}

/** 400 (RFC 6749, 5.2). The sentence does not say which of its reasons it was. */
export function invalidGrant(
  sentence = 'The refresh token is wrong, used or expired, or its connection ended.',
): OauthError {
  return new OauthError('invalid_grant', sentence)
}

/** A form and a query alike. Only names that could be a parameter's are repeated. */
export function givenTwice(name: string): string {
  return `The parameter ${/^[a-z_]{1,40}$/.test(name) ? `${name} ` : ''}was given twice.`
}

/** 400 (RFC 6749, 5.2 and 6). */
export function invalidScope(): OauthError {
  return new OauthError('invalid_scope', 'The scope may only name permissions that the refresh token holds.')
}

/** 400 (RFC 8707, 2). */
export function invalidTarget(): OauthError {
  return new OauthError('invalid_target', "The member's consent does not name this resource.")
}

/** 400 (RFC 6749, 5.2). */
export function unsupportedGrantType(supported: readonly string[]): OauthError {
  return new OauthError(
    'unsupported_grant_type',
    `The parameter grant_type must be ${supported.slice(0, -1).join(', ')} or ${supported.at(-1)}.`,
  )
}

/** 400 (RFC 7009, 2.1 and 2.2.1): the token is another app's. */
export function unauthorizedClient(): OauthError {
  return new OauthError('unauthorized_client', 'The token was issued to another app.')
}

/** 400 (RFC 7591, 3.2.2). The sentence names the field. */
export function invalidClientMetadata(sentence: string): OauthError {
  return new OauthError('invalid_client_metadata', sentence)
}

/** 400 (RFC 7591, 3.2.2). */
export function invalidRedirectUri(sentence: string): OauthError {
  return new OauthError('invalid_redirect_uri', sentence)
}

/** `Retry-After` while the operator has stopped tokens. How long that takes is not known; a minute is soon enough. */
export const stoppedRetryAfterSeconds = 60

/** 503: the operator has stopped the issuing of tokens [oauth.switch]. */
export function tokensStopped(): OauthError {
  return new OauthError('temporarily_unavailable', 'No tokens are issued now; try again later.', {
    headers: { 'Retry-After': String(stoppedRetryAfterSeconds) },
  })
}

/**
 * 429 (RFC 6585, 4; [oauth.limits]), with the headers of [all.bucket] and `Retry-After`. Every 429 at `/oauth` is made
 * here: its body is an OAuth error, which `rateLimited` (`rate-limit/rate-limited.ts`) is not.
 */
export function tooManyRequests(
  sentence: string,
  rateHeaders: Record<string, string>,
  retryAfterSeconds: number,
): OauthError {
  return new OauthError('temporarily_unavailable', sentence, {
    status: 429,
    headers: { ...rateHeaders, 'Retry-After': String(retryAfterSeconds) },
  })
}
