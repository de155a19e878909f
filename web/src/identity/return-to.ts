import { readStored, store } from '../api/browser-storage.ts'
import type { Provider } from './order.ts'

/** Where an app sends a member for consent. The service may redirect from there. */
export const authorizePage = '/oauth/authorize'
/** The same page, for members who return to it: from there it does not redirect. */
export const consentPage = '/consent'

const storageKey = 'numera.fragment'

/**
 * The page that the person returns to: this one, with its query. Fragments are never sent to a server. BankID's app opens
 * nothing where the page must stay open or has a fragment; the person then returns by themselves. Other providers need a page.
 */
export function returnTo(provider: Provider, keepsPage = false): { return_to?: string | null } {
  if (provider === 'bankid' && (keepsPage || location.hash !== '')) return { return_to: null }
  const path = location.pathname === authorizePage ? consentPage : location.pathname
  return { return_to: `${path}${location.search}` }
}

/** Stores the fragment of the address in this tab until the person returns: the page may need it. */
export function rememberFragment(): void {
  if (location.hash === '') return
  const path = `${location.pathname}${location.search}`
  store('sessionStorage', storageKey, JSON.stringify([path, location.hash]))
}

/** Restores the fragment after the person has returned, before anything reads the address. */
export function restoreFragment(): void {
  const [path, hash] = JSON.parse(readStored('sessionStorage', storageKey) ?? '[]') as string[]
  if (path === undefined || hash === undefined) return
  const isReturn = path === `${location.pathname}${location.search}`
  // The page was reloaded before the person left it.
  if (isReturn && location.hash !== '') return
  store('sessionStorage', storageKey, null)
  if (isReturn) history.replaceState(history.state, '', path + hash)
}
