import { checkRedirectUri, type RedirectRules } from './check-redirect-uri.ts'
import { invalidRedirectUri } from '../errors.ts'

/** Redirect addresses of an app; more are 400 `invalid_redirect_uri`. */
export const addressesMax = 10

/**
 * `redirect_uris`: one to ten addresses, each stored as it was sent; one that is given twice is stored once.
 *
 * @throws `invalid_redirect_uri`, also for anything but a list of addresses [oauth.codes]
 */
export function readRedirectUris(value: unknown, rules: RedirectRules): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > addressesMax) {
    throw invalidRedirectUri(
      `redirect_uris must be a list of one to ${addressesMax} addresses, even for one.`,
    )
  }
  const uris = value.map((uri: unknown, index) => {
    const name = `redirect_uris[${index}]`
    if (typeof uri !== 'string') throw invalidRedirectUri(`${name} must be a string.`)
    checkRedirectUri(uri, name, rules)
    return uri
  })
  return [...new Set(uris)]
}
