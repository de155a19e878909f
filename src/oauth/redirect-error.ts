/** Specification "Redirect errors from authorize"; RFC 6749, 4.1.2.1; RFC 8707, 2. */
export type RedirectErrorName =
  | 'access_denied'
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'

/** An error that a redirect carries: `message` becomes `error_description`. Repeats nothing of the request. */
export class RedirectError extends Error {
  readonly error: RedirectErrorName

  constructor(error: RedirectErrorName, description: string) {
    super(description)
    this.name = 'RedirectError'
    this.error = error
  }
}
