import type { Context } from '../../context.ts'
import type { AuthorizeRequest } from './authorize-request.ts'
import { RedirectError } from './redirect-error.ts'
import { errorLocation } from './redirect-location.ts'

/** Where the browser goes when the member refuses. What the app was allowed before stays. */
export const denyConsent = (context: Pick<Context, 'config'>, request: AuthorizeRequest): string =>
  errorLocation(
    { ...request, issuer: context.config.baseUrl },
    new RedirectError('access_denied', 'The member did not allow it.'),
  )
