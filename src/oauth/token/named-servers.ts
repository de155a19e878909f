import type { Context } from '../../service/context.ts'
import { OauthError } from '../oauth-error.ts'
import { isOwnResource } from '../own-resource.ts'
import type { TokenRequest } from './token-request.ts'

export function invalidTarget(): OauthError {
  return new OauthError('invalid_target', "The member's consent does not name this resource.")
}

/**
 * The other servers that a request names with `resource`, each once; undefined where it has no such parameter, empty where it
 * names this service alone. Whether the consent names them too is for the statement that serves the request.
 *
 * @throws `invalid_target` for one that this issuer issues no tokens for at all
 */
export function namedServers(
  { config }: Pick<Context, 'config'>,
  { resources }: Pick<TokenRequest, 'resources'>,
): string[] | undefined {
  if (resources === undefined) return undefined
  const others = new Set(resources.filter((resource) => !isOwnResource(config.baseUrl, resource)))
  if (!others.isSubsetOf(new Set(config.oauth.resources))) throw invalidTarget()
  return [...others]
}
