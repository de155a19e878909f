import type { WriteErrorBody } from '../platform/http/errors/error-body.ts'
import { errorHelp } from '../platform/http/errors/error-help.ts'
import { toPath } from '../platform/http/route-table.ts'
import { toOauthBody } from '../oauth/oauth-error.ts'

function toLink(help: string): string {
  return `<${help}>; rel="help"`
}

/**
 * Makes what writes the body of an error answer: the OAuth endpoints answer every error in OAuth's own form; all others in
 * that of the specification's `Error` [all.help]. The help is the section about the reason in docs/errors.md, as the
 * deployment serves it.
 */
export function createErrorBodyWriter(baseUrl: string): WriteErrorBody {
  return (target, thrown, error, requestId) => {
    if (target !== undefined && toPath(target)?.startsWith('/oauth/') === true) {
      const body = toOauthBody(thrown, error)
      return { reason: body.error, body, link: toLink(errorHelp(baseUrl, body.error)) }
    }
    const help = errorHelp(baseUrl, error.code)
    return {
      reason: error.code,
      body: { ...error.toBody(), help, request_id: requestId },
      link: toLink(help),
    }
  }
}
