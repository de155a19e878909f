import { OauthError } from '../oauth-error.ts'

/** A form's parameters. An empty one counts as absent [oauth.basics]. */
export type Form = ReadonlyMap<string, string>

/** The one parameter that may be given several times (RFC 8707, 2); `read-resources.ts` reads all of it. */
const repeatable = 'resource'

/**
 * Reads an `application/x-www-form-urlencoded` body.
 *
 * @throws `invalid_request` for a repeated parameter, even one that nobody asked for
 */
export function readForm(body: string): Form {
  const form = new Map<string, string>()
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(body)) {
    if (seen.has(name) && name !== repeatable) {
      throw new OauthError('invalid_request', 'A parameter was given twice.')
    }
    seen.add(name)
    if (value !== '') form.set(name, value)
  }
  return form
}
