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
 * The further servers that tokens should be for (RFC 8707, 2; [oauth.resource]), each once, without this service
 * itself, which every token is for. Undefined where one is not among `allowed`, the deployment's list.
 */
export function furtherServers(
  resources: readonly string[],
  baseUrl: string,
  allowed: readonly string[],
): string[] | undefined {
  const others = new Set(resources.filter((resource) => !isOwnResource(baseUrl, resource)))
  return others.isSubsetOf(new Set(allowed)) ? [...others] : undefined
}
