import { errors } from 'jose'
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'

/** An error whose reason is a word that is safe to log. */
abstract class ProviderError extends Error {
  readonly why: string

  constructor(why: string, message: string) {
    super(message)
    this.name = new.target.name
    this.why = why
  }
}

/** An answer of the provider that does not hold. */
export class NotVerified extends ProviderError {
  constructor(why: string) {
    super(why, `The answer of the provider does not hold: ${why}.`)
  }
}

/** The answer holds, but names no person who can sign in here. */
export class NoPerson extends NotVerified {}

/** What the browser brought does not answer the order, which was found before the provider was called. */
export class BadCallback extends ProviderError {
  constructor(cause: unknown) {
    super('callback', 'What the browser brought is not an answer of the provider.')
    this.cause = cause
  }
}

/** The provider does not give the metadata that a sign-in needs. */
export class ProviderUnavailable extends ProviderError {
  constructor(why: string) {
    super(why, `The provider does not give its metadata: ${why}.`)
  }
}

/** A logout token that ends nothing. */
export class LogoutRefused extends ProviderError {
  constructor(why: string, message = `The logout token does not hold: ${why}.`) {
    super(why, message)
  }
}

export interface Failure {
  /** What the page says to the person. */
  reason: 'refused' | 'unavailable' | 'not_verified'
  /** What is counted instead of the reason: what anyone can cause, and what is not a fault. */
  outcome?: 'other_browser' | 'bad_callback' | 'refused_by_provider' | 'no_person'
  /** In a word, with nothing of the answer but an error code of the protocol. */
  why: string
}

/** RFC 6749, 4.1.2.1 and OpenID Connect Core 1.0, 3.1.2.6: error codes; anything else is not logged. */
function readErrorCode(code: unknown): string {
  return typeof code === 'string' && /^[a-z_]{1,64}$/.test(code) ? code : 'unknown_error'
}

/** Codes of openid-client for an answer that came too late, or is not one, such as a page of a proxy. */
const unavailableCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
])

/**
 * What an error means for a sign-in: refused by the person, an answer that does not hold, or a provider that is unavailable or
 * not set up for it. The error itself may contain what the provider sent, so it must not be logged.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof BadCallback) return { ...toFailure(error.cause), outcome: 'bad_callback' }
  if (error instanceof NoPerson) return { reason: 'not_verified', outcome: 'no_person', why: error.why }
  if (error instanceof NotVerified) return { reason: 'not_verified', why: error.why }
  if (error instanceof ProviderUnavailable) return { reason: 'unavailable', why: error.why }
  if (error instanceof AuthorizationResponseError) {
    const why = readErrorCode(error.error)
    if (why === 'access_denied') return { reason: 'refused', why }
    // OpenID Connect Core Error Code unmet_authentication_requirements 1.0
    const reason = why === 'unmet_authentication_requirements' ? 'not_verified' : 'unavailable'
    return { reason, outcome: 'refused_by_provider', why }
  }
  if (error instanceof ResponseBodyError) {
    const why = readErrorCode(error.error)
    // The code came through the browser, too.
    if (why === 'invalid_grant') return { reason: 'not_verified', outcome: 'refused_by_provider', why }
    return { reason: 'unavailable', why }
  }
  if (error instanceof errors.JOSEError) {
    const isUnavailable = error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC'
    return { reason: isUnavailable ? 'unavailable' : 'not_verified', why: error.code }
  }
  const { name, code } = error as { name?: string; code?: unknown }
  if (name === 'ClientError' && typeof code === 'string' && !unavailableCodes.has(code)) {
    return { reason: 'not_verified', why: code }
  }
  return { reason: 'unavailable', why: typeof code === 'string' ? code : 'unreachable' }
}
