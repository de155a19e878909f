/** What BankID's app puts behind the address of the page that it opens: 256 bits as base64url, for the service alone to compare. */
const behindAddress = /[?&]bankid_nonce=([\w-]{43})$/

let nonce: string | undefined

/**
 * Takes the nonce that BankID's app brought back out of the address, before anything else reads that. All else of the address stays to
 * the letter: an app's request is signed as it came.
 */
export function takeReturnNonce(): void {
  const found = behindAddress.exec(location.search)
  if (found === null) return
  nonce = found[1]
  const search = location.search.slice(0, found.index)
  history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`)
}

/** What the address of this page brought back, as proof that the app is on this device; of no use to any other order. */
export function returnNonce(): { return_nonce?: string } {
  return nonce === undefined ? {} : { return_nonce: nonce }
}
