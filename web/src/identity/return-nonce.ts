/** The one page that BankID's app opens (`src/http/page-addresses.ts`). */
export const returnPage = '/bankid/return'

let nonce: string | undefined

/**
 * Takes the nonce that BankID's app brought out of the return page's address, before anything else reads that or stores it: 256 bits as
 * base64url, for the service alone to compare. No other page looks for one.
 */
export function takeReturnNonce(): void {
  if (location.pathname !== returnPage) return
  nonce = /^#nonce=([\w-]{43})$/.exec(location.hash)?.[1]
  history.replaceState(history.state, '', returnPage)
}

/** What the app brought; undefined where the page was loaded again, or opened by hand. */
export function takenNonce(): string | undefined {
  return nonce
}
