/** What the service takes as the way back to a page (`returnToSchema`). */
const takenPath = /^\/(?![/\\])[\x21-\x7e]*$/

const storageKey = 'numera.fragment'

/** The page that the person comes back to: this one, with its query. The fragment of an address is sent nowhere. */
export function returnTo(): { return_to?: string } {
  const path = `${location.pathname}${location.search}`
  return takenPath.test(path) ? { return_to: path } : {}
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
    if (path === undefined || hash === undefined || location.hash !== '') return
    sessionStorage.removeItem(storageKey)
    if (path === `${location.pathname}${location.search}`)
      history.replaceState(history.state, '', path + hash)
  } catch {
    // Nothing was kept.
  }
}
