/** A call that failed: the service answered with an error, or did not answer. */
export class ApiError extends Error {
  /** 0 without an answer. */
  readonly status: number
  /** `code`, `field` and `details` of the `Error` body. */
  readonly code: string | undefined
  readonly field: string | undefined
  readonly details: unknown
  /** Of `Retry-After`. */
  readonly retryAfterS: number | undefined

  constructor(
    status: number,
    body: {
      code?: string | undefined
      message?: string | undefined
      field?: string | undefined
      details?: unknown
      retryAfterS?: number | undefined
    } = {},
  ) {
    super(body.message ?? `status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.code
    this.field = body.field
    this.details = body.details
    this.retryAfterS = body.retryAfterS
  }

  /** The service rejected the call (4xx), and would again. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500
  }
}
