import { isLoopback } from '../config/is-loopback.ts'
import type { App } from './contract.ts'
import { opensPage } from './requests/opens-page.ts'

/**
 * Where a page was opened under another name of this machine than the one that the service goes by (`127.0.0.1` for
 * `localhost`), the same page there; undefined where it was not. What such a page may call is named by origin and path in its
 * content policy, which cannot say "here". A proxy in front may call the service by any name: behind an address that others
 * reach, no one is led anywhere.
 *
 * @param host of the request, with its port
 * @param path of the request, with its query
 */
export function getBaseAddress(baseUrl: string, host: string, path: string): string | undefined {
  const base = new URL(baseUrl)
  const called = URL.canParse(`${base.protocol}//${host}`) ? new URL(`${base.protocol}//${host}`) : undefined
  const isAlias =
    called !== undefined &&
    called.host !== base.host &&
    called.port === base.port &&
    isLoopback(called.hostname) &&
    isLoopback(base.hostname)
  return isAlias ? `${base.origin}${path}` : undefined
}

/** Leads who opens a page of these routes under another name of this machine to the service's own ({@link getBaseAddress}). */
export function redirectToBaseAddress(app: App, baseUrl: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host, url } = request
    if (!opensPage(request) || !url.startsWith('/')) return
    const address = getBaseAddress(baseUrl, host, url)
    // For now: what the service is called may change.
    if (address !== undefined) await reply.redirect(address, 307)
  })
}
