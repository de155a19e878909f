/** A call that failed: the service answered with an error, or did not answer. */
export class ApiError extends Error {
  /** 0 where no answer came. */
  readonly status: number
  /** Of the `Error` body. */
  readonly code: string | undefined
  /** Of the `Error` body: the field concerned. */
  readonly field: string | undefined
  /** Of the `Error` body: what the operation describes, such as what somebody else saved meanwhile. */
  readonly details: unknown
  /** How long to wait, where the service says so. */
  readonly retryAfterS: number | undefined

  constructor(
    status: number,
    said: {
      code?: string | undefined
      message?: string | undefined
      field?: string | undefined
      details?: unknown
      retryAfterS?: number | undefined
    } = {},
  ) {
    super(said.message ?? `status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = said.code
    this.field = said.field
    this.details = said.details
    this.retryAfterS = said.retryAfterS
  }

  /** The service refused the call (4xx): the same call again would be refused again. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500
  }
}
