import type { Provider } from './order.ts'

/** Where an app sends a member to be allowed something. The service may redirect from there. */
export const authorizePage = '/oauth/authorize'
/** The same page, for people who come back to it: there it does not (`src/http/page-addresses.ts`). */
export const consentPage = '/consent'

const storageKey = 'numera.fragment'

/**
 * The page that the person comes back to: this one, with its query. The fragment of an address is sent nowhere. BankID's app is
 * to open nothing where the page must stay as it is, or has a fragment: the person goes back to it by themselves. Other providers
 * need a page.
 *
 * @param keepsPage it must stay as it is
 */
export function returnTo(provider: Provider, keepsPage = false): { return_to?: string | null } {
  if (provider === 'bankid' && (keepsPage || location.hash !== '')) return { return_to: null }
  const path = location.pathname === authorizePage ? consentPage : location.pathname
  return { return_to: `${path}${location.search}` }
}

/** Keeps the fragment of the address in this tab while the person is away: it may hold what the page is for. */
export function keepFragment(): void {
  if (location.hash === '') return
  const path = `${location.pathname}${location.search}`
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([path, location.hash]))
  } catch {
    // Then the address is opened again.
  }
}

/** Gives the address its fragment again, where the person has come back to it without. Before anything reads the address. */
export function restoreFragment(): void {
  try {
    const [path, hash] = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as string[]
    if (path === undefined || hash === undefined) return
    const isThere = path === `${location.pathname}${location.search}`
    // The page was loaded anew before the person left it.
    if (isThere && location.hash !== '') return
    sessionStorage.removeItem(storageKey)
    if (isThere) history.replaceState(history.state, '', path + hash)
  } catch {
    // Nothing was kept.
  }
}
