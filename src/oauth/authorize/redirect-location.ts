import type { RedirectError } from '../redirect-error.ts'

/** Where an answer goes, and which server gives it (`issuer`: RFC 9207). */
interface AnswerAddress {
  redirectUri: string
  state: string | undefined
  issuer: string
}

/** Adds to the query of a registered address, which has no fragment, and keeps the rest (RFC 6749, 3.1.2). */
function addQuery(uri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const added = new URLSearchParams(given).toString()
  if (!uri.includes('?')) return `${uri}?${added}`
  return /[?&]$/.test(uri) ? `${uri}${added}` : `${uri}&${added}`
}

/** RFC 6749, 4.1.2. */
export function codeLocation({ redirectUri, state, issuer }: AnswerAddress, code: string): string {
  return addQuery(redirectUri, { code, state, iss: issuer })
}

/** RFC 6749, 4.1.2.1. */
export function errorLocation(
  { redirectUri, state, issuer }: AnswerAddress,
  { error, message }: Pick<RedirectError, 'error' | 'message'>,
): string {
  return addQuery(redirectUri, { error, error_description: message, state, iss: issuer })
}
