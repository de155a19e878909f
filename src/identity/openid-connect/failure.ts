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

/** The provider does not say what it must before anybody can sign in there. */
export class ProviderUnavailable extends Error {
  readonly why: string

  constructor(why: string) {
    super(`The provider does not say its metadata: ${why}.`)
    this.name = 'ProviderUnavailable'
    this.why = why
  }
}

export interface Failure {
  reason: 'refused' | 'unavailable' | 'not_verified'
  /** In a word, without anything of the answer but an error code of the protocol. */
  why: string
}

/** RFC 6749, 4.1.2.1 and OpenID Connect Core 1.0, 3.1.2.6: error codes; anything else is not shown in a log. */
function errorCode(code: unknown): string {
  return typeof code === 'string' && /^[a-z_]{1,64}$/.test(code) ? code : 'unknown_error'
}

/** What openid-client calls an answer that did not come in time, or with a status that is no answer. */
const awayCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'])

function failureOfAnswer(error: AuthorizationResponseError): Failure {
  const why = errorCode(error.error)
  if (why === 'access_denied') return { reason: 'refused', why }
  // OpenID Connect Core Error Code unmet_authentication_requirements 1.0
  if (why === 'unmet_authentication_requirements') return { reason: 'not_verified', why }
  return { reason: 'unavailable', why }
}

/**
 * What an error says about a sign-in: refused by the person, an answer that does not hold, or the provider is away or not
 * set up for it. An error itself may hold what the provider sent, so it is not to be logged.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof NotVerified) return { reason: 'not_verified', why: error.why }
  if (error instanceof ProviderUnavailable) return { reason: 'unavailable', why: error.why }
  if (error instanceof AuthorizationResponseError) return failureOfAnswer(error)
  if (error instanceof ResponseBodyError) {
    const why = errorCode(error.error)
    return { reason: why === 'invalid_grant' ? 'not_verified' : 'unavailable', why }
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
