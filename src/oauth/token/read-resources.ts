import type { Context } from '../../service/context.ts'
import type { ClientRequest } from '../client/client-request.ts'
import { invalidTarget } from '../errors.ts'
import { valuesOf } from '../parameters.ts'
import { furtherServers } from '../resources.ts'

/**
 * The further servers that a request names with `resource`; undefined where it has no such parameter, empty where it
 * names this service alone. Whether the consent names them too is left to the statement that serves the request.
 *
 * @throws `invalid_target` for one that this issuer issues no tokens for at all
 */
export function readResources(
  { config }: Pick<Context, 'config'>,
  { parameters }: Pick<ClientRequest, 'parameters'>,
): string[] | undefined {
  const named = valuesOf(parameters, 'resource')
  if (named.length === 0) return undefined
  const others = furtherServers(named, config.baseUrl, config.oauth.resources)
  if (others === undefined) throw invalidTarget()
  return others
}
