/**
 * The errors of the OAuth endpoints (specification "Errors", RFC 6749 section 5.2): `{error, error_description}`.
 * Redirect errors of the authorize endpoint are not among them.
 */
import { ApiError, type ErrorCode, type ErrorDetails } from '../http/errors.ts'

/** Every `error` with the status it is answered with. */
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
function nearestCode(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'internal' : 'invalid_argument'
}

/** An answer other than success of an OAuth endpoint. `message` becomes `error_description`. */
export class OauthError extends ApiError {
  readonly error: OauthErrorName

  constructor(error: OauthErrorName, description: string, details: Omit<ErrorDetails, 'field'> = {}) {
    const status = details.status ?? oauthErrors[error]
    super(nearestCode(status), description, { ...details, status })
    this.name = 'OauthError'
    this.error = error
  }
}

export interface OauthErrorBody {
  error: OauthErrorName
  error_description: string
}

function errorFor(status: number): OauthErrorName {
  // A request that did not arrive in time should be sent again.
  if (status === 408 || status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** The body for what was thrown; `answer` is what the rest of the service would have answered it with. */
export function toOauthBody(thrown: unknown, answer: ApiError): OauthErrorBody {
  return {
    error: thrown instanceof OauthError ? thrown.error : errorFor(answer.status),
    error_description: answer.message,
  }
}
