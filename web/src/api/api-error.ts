/** A call that failed: the service answered with an error, or did not answer. */
export class ApiError extends Error {
  /** 0 where no answer came. */
  readonly status: number
  /** Of the `Error` body. */
  readonly code: string | undefined
  /** Which field is wrong, where it is one. */
  readonly field: string | undefined
  /** How long to wait, where the service says so. */
  readonly retryAfterS: number | undefined

  constructor(
    status: number,
    details: {
      code?: string | undefined
      message?: string | undefined
      field?: string | undefined
      retryAfterS?: number | undefined
    } = {},
  ) {
    super(details.message ?? `status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = details.code
    this.field = details.field
    this.retryAfterS = details.retryAfterS
  }

  /** The service refused the call (4xx): the same call again would be refused again. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500
  }
}
