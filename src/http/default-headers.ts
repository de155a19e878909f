/** A year. */
const transportSecuritySeconds = 31_536_000

/**
 * What every answer carries unless its route says otherwise: it is data, not a page, for the caller alone. Pages
 * bring their own content policy.
 */
export function defaultHeadersOf(baseUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(baseUrl.startsWith('https:')
      ? { 'strict-transport-security': `max-age=${transportSecuritySeconds}` }
      : {}),
  }
}
