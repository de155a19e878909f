import type { IncomingHttpHeaders } from 'node:http'

/** What the API reference puts on every request that it sends. */
export const referenceHeader = 'x-numera-reference'

/**
 * Whether a call comes from the interactive API reference [push.docs-origin]: it says so itself, or its
 * `Origin` or `Referer` is one of the origins that the reference is served from.
 */
export function isFromDocs(headers: IncomingHttpHeaders, docsOrigins: readonly string[]): boolean {
  if (headers[referenceHeader] !== undefined) return true
  const { origin, referer } = headers
  if (origin === undefined && referer === undefined) return false
  return docsOrigins.some(
    (docs) => origin === docs || referer === docs || referer?.startsWith(`${docs}/`) === true,
  )
}

/** The reference as an app of a demo deployment (`oauth/register/add-reference-app.ts`); no registration gives this id out. */
export const referenceClientId = 'app_NumeraApiReference0000'

/** Where its flow comes back to, behind the base address. */
export const callbackPath = '/docs/api/callback'
