import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

/** The one page that BankID's app opens (`src/http/page-addresses.ts`). */
export const returnPage = '/bankid/return'

let nonce: string | undefined

/**
 * Removes the nonce that BankID's app brought from the return page's address, before anything else reads or stores that: 256 bits as
 * base64url, for the service alone to compare. No other page looks for one.
 */
export function takeReturnNonce(): void {
  if (location.pathname !== returnPage) return
  nonce = /^#nonce=([\w-]{43})$/.exec(location.hash)?.[1]
  history.replaceState(history.state, '', returnPage)
}

/** Which page continues the nonce's order; the first page where there is no nonce, as after the page was loaded again. */
export const returnQuery = queryOptions({
  queryKey: ['return'],
  queryFn: async () =>
    nonce === undefined
      ? { return_to: '/' }
      : callApi('POST /console/sign-in/return', { body: { return_nonce: nonce } }),
  // The person tries again.
  retry: false,
  retryOnMount: false,
  staleTime: Infinity,
  refetchOnReconnect: false,
})

/** Hands the nonce over before the page's own scripts are there: the service waits for it a short while. */
export function prefetchReturn(client: QueryClient): void {
  if (location.pathname === returnPage) void client.prefetchQuery(returnQuery)
}
