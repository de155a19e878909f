import { errors } from 'jose'
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'

/** An answer of the provider that does not hold. */
export class NotVerified extends Error {
  /** What does not hold, in a word that is safe to log. */
  readonly why: string

  constructor(why: string) {
    super(`The answer of the provider does not hold: ${why}.`)
    this.name = 'NotVerified'
    this.why = why
  }
}

/** The answer holds, and names nobody who can be signed in here. */
export class NoPerson extends NotVerified {}

/** What the browser brought is no answer to the order, found before the provider was asked anything. */
export class BadCallback extends Error {
  constructor(cause: unknown) {
    super('What the browser brought is no answer of the provider.', { cause })
    this.name = 'BadCallback'
  }
}

/** The provider does not say what it must before anybody can sign in there. */
export class ProviderUnavailable extends Error {
  readonly why: string

  constructor(why: string) {
    super(`The provider does not say its metadata: ${why}.`)
    this.name = 'ProviderUnavailable'
    this.why = why
  }
}

/** A logout token that ends nothing. */
export class LogoutRefused extends Error {
  /** In a word that is safe to log. */
  readonly why: string

  constructor(why: string, message = `The logout token does not hold: ${why}.`) {
    super(message)
    this.name = 'LogoutRefused'
    this.why = why
  }
}

export interface Failure {
  /** What the person is told. */
  reason: 'refused' | 'unavailable' | 'not_verified'
  /** What it is counted as where that is not the reason: what anybody can bring about, and what is no fault. */
  outcome?: 'other_browser' | 'bad_callback' | 'refused_by_provider' | 'no_person'
  /** In a word, without anything of the answer but an error code of the protocol. */
  why: string
}

/** RFC 6749, 4.1.2.1 and OpenID Connect Core 1.0, 3.1.2.6: error codes; anything else is not shown in a log. */
function errorCode(code: unknown): string {
  return typeof code === 'string' && /^[a-z_]{1,64}$/.test(code) ? code : 'unknown_error'
}

/** What openid-client calls an answer that did not come in time, or is none: by its status, or a page of what stands before. */
const awayCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
])

function failureOfAnswer(error: AuthorizationResponseError): Failure {
  const why = errorCode(error.error)
  if (why === 'access_denied') return { reason: 'refused', why }
  // OpenID Connect Core Error Code unmet_authentication_requirements 1.0
  const reason = why === 'unmet_authentication_requirements' ? 'not_verified' : 'unavailable'
  return { reason, outcome: 'refused_by_provider', why }
}

/**
 * What an error says about a sign-in: refused by the person, an answer that does not hold, or the provider is away or not
 * set up for it. An error itself may hold what the provider sent, so it is not to be logged.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof BadCallback) return { ...failureOf(error.cause), outcome: 'bad_callback' }
  if (error instanceof NoPerson) return { reason: 'not_verified', outcome: 'no_person', why: error.why }
  if (error instanceof NotVerified) return { reason: 'not_verified', why: error.why }
  if (error instanceof ProviderUnavailable) return { reason: 'unavailable', why: error.why }
  if (error instanceof AuthorizationResponseError) return failureOfAnswer(error)
  if (error instanceof ResponseBodyError) {
    const why = errorCode(error.error)
    // The code came by way of the browser, too.
    if (why === 'invalid_grant') return { reason: 'not_verified', outcome: 'refused_by_provider', why }
    return { reason: 'unavailable', why }
  }
  if (error instanceof errors.JOSEError) {
    const isAway = error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC'
    return { reason: isAway ? 'unavailable' : 'not_verified', why: error.code }
  }
  const { name, code } = error as { name?: string; code?: unknown }
  if (name === 'ClientError' && typeof code === 'string' && !awayCodes.has(code)) {
    return { reason: 'not_verified', why: code }
  }
  return { reason: 'unavailable', why: typeof code === 'string' ? code : 'unreachable' }
}
