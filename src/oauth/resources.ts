import type { Config } from '../platform/config/config.ts'
import { toolsPath } from '../platform/http/errors/challenge.ts'

/** What may follow the base address: nothing, `/`, `/v1`, or what is below it. */
const ownPath = /^(?:\/|\/v1(?:\/[^#]*)?)?$/

/**
 * Whether a `resource` (RFC 8707) is this service: every token is for it, so it need not be requested [oauth.resource].
 * Compared byte for byte, as this service writes its address.
 */
export function isOwnResource(baseUrl: string, resource: string): boolean {
  return resource.startsWith(baseUrl) && ownPath.test(resource.slice(baseUrl.length))
}

/** The resource of tokens that open the tools for assistants, and nothing else of this service. */
export function toolsResource(baseUrl: string): string {
  return `${baseUrl}${toolsPath}`
}

/**
 * The other servers for which tokens are requested (RFC 8707, 2; [oauth.resource]), each once. Undefined if one is not on the
 * deployment's list. The tools for assistants are among them, unless the service itself is named too: a token for it opens
 * them as well.
 */
export function findOtherServers(
  resources: readonly string[],
  { baseUrl, oauth }: Pick<Config, 'baseUrl' | 'oauth'>,
): string[] | undefined {
  const others = new Set(resources.filter((resource) => !isOwnResource(baseUrl, resource)))
  const tools = toolsResource(baseUrl)
  if (resources.some((resource) => isOwnResource(baseUrl, resource))) others.delete(tools)
  return others.isSubsetOf(new Set([...oauth.resources, tools])) ? [...others] : undefined
}
