import type { DirectoryContext } from '../../context.ts'
import { getValue, readParameters } from '../parameters.ts'
import { RedirectError } from '../redirect-error.ts'
import { findApp } from '../register/app.ts'
import { readAuthorizeRequest, type AuthorizeRequest } from './authorize-request.ts'
import { errorLocation } from './redirect-location.ts'

export type RequestOutcome =
  /** The address is not known to be the app's: the service shows an error page of its own [oauth.own-page]. */
  | { kind: 'own_page'; fault: 'unknown_app' | 'unknown_redirect' }
  /** The app gets the error. */
  | { kind: 'redirect'; location: string }
  /** The member is to decide. */
  | { kind: 'ask'; request: AuthorizeRequest }

/**
 * Validates a request: first whose it is and where its answer may go, then everything else.
 *
 * @param query of the address, with or without its question mark
 */
export async function validateRequest(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  query: string,
): Promise<RequestOutcome> {
  const { config, clock } = context
  const parameters = readParameters(query)

  const clientId = getValue(parameters, 'client_id')
  const app = clientId === undefined ? undefined : await findApp(context, clientId)
  if (app === undefined) return { kind: 'own_page', fault: 'unknown_app' }

  const redirectUri = getValue(parameters, 'redirect_uri')
  if (redirectUri === undefined || !app.redirectUris.includes(redirectUri)) {
    return { kind: 'own_page', fault: 'unknown_redirect' }
  }

  try {
    const now = new Date(clock.now())
    return { kind: 'ask', request: readAuthorizeRequest(parameters, { app, redirectUri }, config, now) }
  } catch (error) {
    if (!(error instanceof RedirectError)) throw error
    const address = { redirectUri, state: getValue(parameters, 'state'), issuer: config.baseUrl }
    return { kind: 'redirect', location: errorLocation(address, error) }
  }
}
