/**
 * The errors that a redirect carries (specification "Redirect errors from authorize"; RFC 6749, 4.1.2.1; RFC 8707, 2).
 */
export type RedirectErrorName =
  'access_denied' | 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target'

/** What is wrong with a request, for its app: `message` becomes `error_description`. Repeats nothing of the request. */
export class RedirectError extends Error {
  readonly error: RedirectErrorName

  constructor(error: RedirectErrorName, description: string) {
    super(description)
    this.name = 'RedirectError'
    this.error = error
  }
}
