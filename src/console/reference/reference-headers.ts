import { pageHeaders } from '../../platform/web-app/page-headers.ts'

/** What the reference calls: the API, the flow of an app, and the document that it is built from. Nothing with a session. */
const called = ['/v1/', '/oauth/', '/.well-known/', '/openapi.json']

/**
 * The headers of the interactive reference, with a content policy of its own. `connect-src` lists paths, so that none of its calls
 * carries the pages' session (CSP 3, 6.7.2.8: a path that ends in a slash covers what is below it). Its library writes styles
 * while it runs, which needs `unsafe-inline`; scripts are files of this service only.
 *
 * @param baseUrl the address that clients use
 */
export function toReferenceHeaders(baseUrl: string): Record<string, string> {
  const { origin } = new URL(baseUrl)
  return {
    ...pageHeaders,
    'content-security-policy':
      `default-src 'none'; script-src ${origin}/assets/; style-src 'unsafe-inline'; img-src 'self' data:; ` +
      `connect-src ${called.map((path) => `${origin}${path}`).join(' ')}; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  }
}

/** The headers of the page that an app's flow returns to. It has no script; the reference reads its address. */
export const callbackHeaders = {
  ...pageHeaders,
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const
