import type { ErrorBody } from '../http/error-body.ts'
import type { ApiError } from '../http/errors.ts'
import { pathOf } from '../http/route-table.ts'
import { toOauthBody } from '../oauth/oauth-error.ts'

/**
 * The body of an error answer: the OAuth endpoints answer every error in OAuth's own form; all others in that of the
 * specification's `Error`.
 */
export function errorBodyOf(target: string | undefined, thrown: unknown, error: ApiError): ErrorBody {
  if (target !== undefined && pathOf(target)?.startsWith('/oauth/') === true) {
    const body = toOauthBody(thrown, error)
    return { reason: body.error, body }
  }
  const body = error.toBody()
  return { reason: body.code, body }
}
