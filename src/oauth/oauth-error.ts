/**
 * The errors of the OAuth endpoints (specification "Errors", RFC 6749 section 5.2): `{error, error_description}`.
 * Those that the authorize endpoint redirects with are in `redirect-error.ts`.
 */
import { ApiError, type ErrorCode, type ErrorDetails } from '../platform/http/errors/errors.ts'

/** Every `error` with its status. */
export const oauthErrors = {
  invalid_client_metadata: 400,
  invalid_redirect_uri: 400,
  invalid_request: 400,
  invalid_grant: 400,
  invalid_target: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  unauthorized_client: 400,
  invalid_client: 401,
  temporarily_unavailable: 503,
  server_error: 500,
} as const

export type OauthErrorName = keyof typeof oauthErrors

/** The nearest code of the `Error` table, for metrics and for code that reads only codes. */
function toCode(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'internal' : 'invalid_argument'
}

/** `message` becomes `error_description`. */
export class OauthError extends ApiError {
  readonly error: OauthErrorName

  constructor(error: OauthErrorName, description: string, details: Omit<ErrorDetails, 'field'> = {}) {
    const status = details.status ?? oauthErrors[error]
    super(toCode(status), description, { ...details, status })
    this.name = 'OauthError'
    this.error = error
  }
}

/** The body for what was thrown; `answer` is the error that the rest of the service would answer with. */
export function toOauthBody(
  thrown: unknown,
  { status, message }: ApiError,
): { error: OauthErrorName; error_description: string } {
  if (thrown instanceof OauthError) return { error: thrown.error, error_description: message }
  // After a timeout (408) the request can be sent again.
  const isTemporary = status === 408 || status === 429 || status === 503
  const fault = status >= 500 ? 'server_error' : 'invalid_request'
  return { error: isTemporary ? 'temporarily_unavailable' : fault, error_description: message }
}

/**
 * 401 (RFC 6749, 5.2), the same for any fault in the id or secret. Names the Basic scheme only to a client that used
 * `Authorization` [oauth.basic-auth]: otherwise a browser would ask its user for a password.
 */
export function invalidClient(
  usedAuthorization: boolean,
  sentence = 'The client is unknown, or its credentials are not valid.',
): OauthError {
  return new OauthError('invalid_client', sentence, {
    headers: usedAuthorization ? { 'WWW-Authenticate': 'Basic realm="numera", charset="UTF-8"' } : {},
  })
}

/** RFC 8707, 2. */
export function invalidTarget(): OauthError {
  return new OauthError('invalid_target', "The member's consent does not name this resource.")
}

/** `Retry-After` while the operator has stopped tokens, for a time that is not known. */
const stoppedRetryAfterSeconds = 60

/** The operator has stopped the issuing of tokens [oauth.switch]. */
export function tokensStopped(): OauthError {
  return new OauthError('temporarily_unavailable', 'No tokens are issued now; try again later.', {
    headers: { 'Retry-After': String(stoppedRetryAfterSeconds) },
  })
}

/** 429 ([oauth.limits]) with the headers of [all.bucket]; `rateLimited` is the same for the rest of the service. */
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
