/** What the grants of apps have in common: the resources that are requested, and what a failed attempt means. */
import type { DirectoryContext } from '../../context.ts'
import type { ClientRequest } from '../client/client-request.ts'
import { invalidClient, invalidTarget, tokensStopped, type OauthError } from '../oauth-error.ts'
import { getValues } from '../parameters.ts'
import { findOtherServers } from '../resources.ts'
import type { FailedAttempt } from './app-token-queries.ts'
import { revokeTokenFamily } from './revoke-token-family.ts'

/**
 * The other servers that a request names with `resource`; undefined without such a parameter, empty if it names this service
 * alone. Whether the consent names them too is checked by the statement that serves the request.
 *
 * @throws `invalid_target` for one for which this issuer issues no tokens
 */
export function readResources(
  { config }: Pick<DirectoryContext, 'config'>,
  { parameters }: ClientRequest,
): string[] | undefined {
  const named = getValues(parameters, 'resource')
  if (named.length === 0) return undefined
  const others = findOtherServers(named, config)
  if (others === undefined) throw invalidTarget()
  return others
}

/**
 * Refuses an attempt if tokens are stopped or the app is not registered. If it is a second use of a code or refresh token,
 * two have it, and it is unknown which of them is the app: all tokens of the code end, while the connection stays
 * ([oauth.refresh]; RFC 6749, 4.1.2; RFC 9700, 4.14.2).
 */
export async function refuseUsed(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  { stopped, registered, used, token_family_id: family, connection_id: connectionId }: FailedAttempt,
): Promise<OauthError | undefined> {
  if (stopped) return tokensStopped()
  if (!registered) return invalidClient(false)
  if (used) await revokeTokenFamily(context, family!, connectionId!)
  return undefined
}
