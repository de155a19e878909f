import type { ApiError } from './errors.ts'

/** What an error is answered with. */
export interface ErrorBody {
  /** The machine-readable reason in it: what metrics and the records of calls name the answer by. */
  reason: string
  body: object
  /** The value of the `Link` header: where the reason is explained (RFC 8288; `help` is a registered relation). */
  link: string
}

/**
 * Writes an error in the form of the address that was called (`service/error-body.ts`). `error` is what `thrown` is
 * answered with; the target is undefined where none was read.
 */
export type WriteErrorBody = (
  target: string | undefined,
  thrown: unknown,
  error: ApiError,
  requestId: string,
) => ErrorBody
