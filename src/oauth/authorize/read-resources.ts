import { isOwnResource } from '../own-resource.ts'
import { valuesOf, type Parameters } from './parameters.ts'
import { RedirectError } from './redirect-error.ts'

/**
 * The further servers that the token is to be for (RFC 8707, 2; [oauth.resource]), without this service itself,
 * which every token is for.
 *
 * @param allowed the deployment's list
 * @throws `invalid_target` for any other server
 */
export function readResources(parameters: Parameters, baseUrl: string, allowed: readonly string[]): string[] {
  const others = valuesOf(parameters, 'resource').filter((resource) => !isOwnResource(baseUrl, resource))
  if (others.some((resource) => !allowed.includes(resource))) {
    throw new RedirectError('invalid_target', 'A resource is a server that no tokens are issued for here.')
  }
  return [...new Set(others)]
}
