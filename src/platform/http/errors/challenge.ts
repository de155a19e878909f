/** Where the metadata of a protected resource is; the resource's path follows it (RFC 9728, 3.1). */
export const protectedResourcePath = '/.well-known/oauth-protected-resource'

/** The address of the tools for assistants (`src/mcp`), a resource of its own: its tokens may be for it alone (RFC 8707). */
export const toolsPath = '/mcp'

export interface ChallengeDetails {
  error?: 'invalid_token' | 'insufficient_scope'
  /** The permissions that are missing, separated by spaces. */
  scope?: string
}

/**
 * The value of `WWW-Authenticate` for a call [all.challenge]: it names the metadata document of the call's
 * own path. `target` is the request target; its query is left out.
 */
export function bearerChallenge(baseUrl: string, target: string, details: ChallengeDetails = {}): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0]!
  // What a header's quoted string cannot hold is percent-encoded in a path already.
  const metadata = `${baseUrl}${protectedResourcePath}${path.replace(/["\\]/g, encodeURIComponent)}`
  const parts = [`resource_metadata="${metadata}"`]
  if (details.error !== undefined) parts.push(`error="${details.error}"`)
  if (details.scope !== undefined) parts.push(`scope="${details.scope}"`)
  return `Bearer ${parts.join(', ')}`
}
