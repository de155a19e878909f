import type { Context } from '../../service/context.ts'
import { findApp } from '../register/app.ts'
import { readAuthorizeRequest, type AuthorizeRequest } from './authorize-request.ts'
import { readParameters, valueOf } from '../parameters.ts'
import { RedirectError } from '../redirect-error.ts'
import { errorLocation } from './redirect-location.ts'

/** Why a request gets the service's own error page [oauth.own-page]. */
export type OwnPageFault = 'unknown_app' | 'unknown_redirect'

export type RequestOutcome =
  /** The address is not known to be the app's, so the browser is not sent there. */
  | { kind: 'own_page'; fault: OwnPageFault }
  /** Wrong in a way that the app is told. */
  | { kind: 'redirect'; location: string }
  /** Good enough to ask the member. */
  | { kind: 'ask'; request: AuthorizeRequest }

/**
 * Decides about a request: first whose it is and where its answer may go, then everything else about it.
 *
 * @param query as it is in the address, with or without its question mark
 */
export async function validateRequest(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  query: string,
): Promise<RequestOutcome> {
  const { baseUrl, oauth } = context.config
  const parameters = readParameters(query)

  const clientId = valueOf(parameters, 'client_id')
  const app = clientId === undefined ? undefined : await findApp(context, clientId)
  if (app === undefined) return { kind: 'own_page', fault: 'unknown_app' }

  const redirectUri = valueOf(parameters, 'redirect_uri')
  if (redirectUri === undefined || !app.redirectUris.includes(redirectUri)) {
    return { kind: 'own_page', fault: 'unknown_redirect' }
  }

  const deployment = { baseUrl, resources: oauth.resources, now: new Date(context.clock.now()) }
  try {
    return { kind: 'ask', request: readAuthorizeRequest(parameters, { app, redirectUri }, deployment) }
  } catch (error) {
    if (!(error instanceof RedirectError)) throw error
    const address = { redirectUri, state: valueOf(parameters, 'state'), issuer: baseUrl }
    return { kind: 'redirect', location: errorLocation(address, error) }
  }
}
