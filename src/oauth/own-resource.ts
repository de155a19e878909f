/** What stands behind the base address: nothing, `/`, `/v1`, or what is below it. */
const ownPath = /^(?:\/|\/v1(?:\/[^#]*)?)?$/

/**
 * Whether a `resource` (RFC 8707) is this service: every token is for it, so it need not be asked for [oauth.resource]. Compared byte for byte, as this service writes its address.
 */
export function isOwnResource(baseUrl: string, resource: string): boolean {
  return resource.startsWith(baseUrl) && ownPath.test(resource.slice(baseUrl.length))
}
