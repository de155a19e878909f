import type { Config } from '../platform/config/config.ts'

/** What may follow the base address: nothing, `/`, `/v1`, or what is below it. */
const ownPath = /^(?:\/|\/v1(?:\/[^#]*)?)?$/

/**
 * Whether a `resource` (RFC 8707) is this service: every token is for it, so it need not be requested [oauth.resource].
 * Compared byte for byte, as this service writes its address.
 */
export function isOwnResource(baseUrl: string, resource: string): boolean {
  return resource.startsWith(baseUrl) && ownPath.test(resource.slice(baseUrl.length))
}

/**
 * The other servers for which tokens are requested (RFC 8707, 2; [oauth.resource]), each once. Undefined if one is not on the
 * deployment's list.
 */
export function findOtherServers(
  resources: readonly string[],
  { baseUrl, oauth }: Pick<Config, 'baseUrl' | 'oauth'>,
): string[] | undefined {
  const others = new Set(resources.filter((resource) => !isOwnResource(baseUrl, resource)))
  return others.isSubsetOf(new Set(oauth.resources)) ? [...others] : undefined
}
