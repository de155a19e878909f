import { createHash } from 'node:crypto'
import { permissionsPolicy } from '../http/default-headers.ts'

/**
 * What every page of the web app carries in addition to the default headers: scripts, styles, fonts and calls of this service
 * alone, nothing inline but what `getPageHeaders` adds, and no other page frames it [oauth.consent].
 */
export const pageHeaders = {
  ...permissionsPolicy,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const

/**
 * The same for a document that has styles of its own in it: the policy names each by its hash (CSP 3, section 8.3), so
 * that no other one applies.
 */
export function getPageHeaders(document: string): Record<string, string> {
  const styles = [...document.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, style]) => ` 'sha256-${createHash('sha256').update(style!).digest('base64')}'`,
  )
  const policy = pageHeaders['content-security-policy']
  return {
    ...pageHeaders,
    'content-security-policy': policy.replace("style-src 'self'", `style-src 'self'${styles.join('')}`),
  }
}

/**
 * Headers of every document, in addition to the default ones. It loads only from this service, nothing is inline, and its scripts
 * reach nothing but the documents: not the pages' session, nor what a credential opens.
 *
 * @param reached what scripts of the page may call, as paths that end in a slash
 */
export function documentHeaders(
  baseUrl: string,
  reached: readonly string[] = ['/docs/'],
): Record<string, string> {
  const called = reached.map((path) => `${new URL(baseUrl).origin}${path}`).join(' ')
  return {
    'content-security-policy':
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ${called}; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
  }
}
