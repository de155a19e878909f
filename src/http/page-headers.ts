import { permissionsPolicy } from './default-headers.ts'

/**
 * What every page of the web app carries beside the default headers: scripts, styles, fonts and calls of this service
 * alone, nothing inline, and no other page frames it [oauth.consent].
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
 * What every document carries beside the default headers. It loads of this service alone, nothing is inline, and its scripts
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
