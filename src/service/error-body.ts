import type { ErrorBodyOf } from '../http/error-body.ts'
import { pathOf } from '../http/route-table.ts'
import { toOauthBody } from '../oauth/oauth-error.ts'

/**
 * Makes what writes the body of an error answer: the OAuth endpoints answer every error in OAuth's own form; all others in
 * that of the specification's `Error`. Its help is the heading of its reason in docs/errors.md, as the deployment serves it.
 */
export function createErrorBodyOf(baseUrl: string): ErrorBodyOf {
  const helpOf = (reason: string): string => `<${baseUrl}/docs/errors#${reason}>; rel="help"`
  return (target, thrown, error) => {
    if (target !== undefined && pathOf(target)?.startsWith('/oauth/') === true) {
      const body = toOauthBody(thrown, error)
      return { reason: body.error, body, help: helpOf(body.error) }
    }
    const body = error.toBody()
    return { reason: body.code, body, help: helpOf(body.code) }
  }
}
