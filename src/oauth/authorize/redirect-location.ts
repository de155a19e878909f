import type { RedirectError } from '../redirect-error.ts'

/** Where an answer goes, and who gives it. */
interface AnswerAddress {
  redirectUri: string
  state: string | undefined
  /** RFC 9207: tells the app which authorization server this answer comes from. */
  issuer: string
}

/** Adds to the query of a registered address, which has no fragment, and keeps what is there (RFC 6749, 3.1.2). */
function withQuery(uri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const added = new URLSearchParams(given).toString()
  if (!uri.includes('?')) return `${uri}?${added}`
  return /[?&]$/.test(uri) ? `${uri}${added}` : `${uri}&${added}`
}

/** RFC 6749, 4.1.2. */
export function codeLocation({ redirectUri, state, issuer }: AnswerAddress, code: string): string {
  return withQuery(redirectUri, { code, state, iss: issuer })
}

/** RFC 6749, 4.1.2.1. */
export function errorLocation(
  { redirectUri, state, issuer }: AnswerAddress,
  { error, message }: Pick<RedirectError, 'error' | 'message'>,
): string {
  return withQuery(redirectUri, { error, error_description: message, state, iss: issuer })
}
