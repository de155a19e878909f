import { pageHeaders } from '../http/page-headers.ts'

/** What the reference calls: the API, the flow of an app, and the document that it is made from. Nothing of the pages' session. */
const called = ['/v1/', '/oauth/', '/.well-known/', '/openapi.json']

/**
 * What the interactive reference carries instead of the pages' policy. `connect-src` names paths, so that no call of it
 * reaches the pages' session (CSP 3, 6.7.2.8: a path that ends in a slash covers what is below it). Its library writes
 * styles while it runs, for which there is no narrower word than `unsafe-inline`; scripts are files of this service alone.
 *
 * @param baseUrl the address that clients use, as the document names it
 */
export function referenceHeadersOf(baseUrl: string): Record<string, string> {
  const { origin } = new URL(baseUrl)
  return {
    ...pageHeaders,
    'content-security-policy':
      `default-src 'none'; script-src ${origin}/assets/; style-src 'unsafe-inline'; img-src 'self' data:; ` +
      `connect-src ${called.map((path) => `${origin}${path}`).join(' ')}; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  }
}

/** Where an app's flow that was begun in the reference comes back to: a page without a script, which the reference reads. */
export const callbackHeaders = {
  ...pageHeaders,
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const
