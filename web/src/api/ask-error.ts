/** An answer other than success, or none. */
export class AskError extends Error {
  /** 0 where no answer came. */
  readonly status: number
  /** Of the `Error` body. */
  readonly code: string | undefined
  /** How long to wait, where the service says so. */
  readonly retryAfterS: number | undefined

  constructor(
    status: number,
    details: {
      code?: string | undefined
      message?: string | undefined
      retryAfterS?: number | undefined
    } = {},
  ) {
    super(details.message ?? `status ${status}`)
    this.name = 'AskError'
    this.status = status
    this.code = details.code
    this.retryAfterS = details.retryAfterS
  }
}
