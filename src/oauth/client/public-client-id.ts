import { clientIdPattern } from '../register/app.ts'
import { invalidClient } from '../errors.ts'
import { valueOf } from '../parameters.ts'
import type { ClientRequest } from './client-request.ts'

/**
 * The id of the app that asks. Apps are public clients (RFC 6749, 2.1): they name themselves in the form and have no
 * secret, so one that sends a secret takes this for another kind of service and is told so. Whether an app of this id
 * is registered is left to the statement that serves the request.
 *
 * @throws 401 `invalid_client` where a secret was sent, or the id is missing or malformed
 */
export function publicClientId({ parameters, usedAuthorization }: ClientRequest): string {
  if (usedAuthorization || valueOf(parameters, 'client_secret') !== undefined) {
    throw invalidClient(
      usedAuthorization,
      'An app has no secret: send client_id in the form, and nothing else.',
    )
  }
  const clientId = valueOf(parameters, 'client_id')
  if (clientId === undefined || !clientIdPattern.test(clientId)) {
    throw invalidClient(
      false,
      'The parameter client_id must be the id of a registered app: app_ and 22 letters and digits.',
    )
  }
  return clientId
}
