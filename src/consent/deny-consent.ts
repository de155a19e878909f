import type { Context } from '../service/context.ts'
import type { AuthorizeRequest } from '../oauth/authorize/authorize-request.ts'
import { RedirectError } from '../oauth/redirect-error.ts'
import { errorLocation } from '../oauth/authorize/redirect-location.ts'

/** Where the browser goes when the member refuses. What the app was allowed before stays. */
export function denyConsent(context: Pick<Context, 'config'>, request: AuthorizeRequest): string {
  return errorLocation(
    { ...request, issuer: context.config.baseUrl },
    new RedirectError('access_denied', 'The member did not allow it.'),
  )
}
