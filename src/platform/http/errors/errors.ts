/**
 * The closed table of error codes of the API, and the one error that route code throws.
 * Source: specification "Errors"; [all.404], [all.429], [all.500].
 */

/** Every code with the status it is answered with. A test holds it against the API document. */
export const errorCodes = {
  invalid_argument: 400,
  credential_in_url: 400,
  unauthenticated: 401,
  permission_denied: 403,
  // Only in the pages' API: the person must identify themselves first.
  sign_in_again: 403,
  docs_origin_needs_sandbox: 403,
  webhook_only: 403,
  not_found: 404,
  method_not_allowed: 405,
  source_paused: 409,
  key_reused: 409,
  // Only in the pages' API: the resource has changed since the caller read it.
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
} as const

export type ErrorCode = keyof typeof errorCodes

export interface ErrorDetails {
  /** The field concerned, as the client named it. */
  field?: string
  /** Where the status differs from the code's own: a push over the size is 413 `invalid_argument`. */
  status?: number
  headers?: Record<string, string>
  /** What the operation adds to it; sent as it is. */
  details?: object
}

/** An answer other than success. `message` is one plain sentence that is safe to show to the client. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly field: string | undefined
  readonly headers: Record<string, string>
  readonly details: object | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = details.status ?? errorCodes[code]
    this.field = details.field
    this.headers = details.headers ?? {}
    this.details = details.details
  }

  /** The `Error` body of the specification. */
  toBody(): { code: ErrorCode; message: string; field?: string; details?: object } {
    const { code, message, field, details } = this
    return {
      code,
      message,
      ...(field === undefined ? {} : { field }),
      ...(details === undefined ? {} : { details }),
    }
  }
}

/** 400 `invalid_argument` for one field. */
export function invalidArgument(message: string, field?: string): ApiError {
  return new ApiError('invalid_argument', message, field === undefined ? {} : { field })
}

/** 409 `conflict`: what was to be changed is not, or no longer, as the caller takes it to be. */
export function conflict(message: string, field?: string, details?: object): ApiError {
  return new ApiError('conflict', message, {
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  })
}

/** 404 `not_found` for what does not exist and what is not the caller's: `sentence` must be the same for both. */
export function notFound(sentence = 'There is nothing of that id for this caller.'): ApiError {
  return new ApiError('not_found', sentence)
}
