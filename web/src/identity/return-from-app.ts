import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

/** The page that BankID's app opens. */
export const returnPage = '/bankid/return'

let nonce: string | undefined

/**
 * Removes the nonce of BankID's app from the return page's address, before anything else reads or stores it: 256 bits as
 * base64url, which only the service compares.
 */
export function extractReturnNonce(): void {
  if (location.pathname !== returnPage) return
  nonce = /^#nonce=([\w-]{43})$/.exec(location.hash)?.[1]
  history.replaceState(history.state, '', returnPage)
}

/** The page that continues the nonce's order; the start page without a nonce, as after a reload. */
export const returnQuery = queryOptions({
  queryKey: ['return'],
  queryFn: async () =>
    nonce === undefined
      ? { return_to: '/' }
      : callApi('POST /console/sign-in/return', { body: { return_nonce: nonce } }),
  // Only the person tries again.
  retry: false,
  retryOnMount: false,
  staleTime: Infinity,
  refetchOnReconnect: false,
})

/** Sends the nonce before the page's own scripts have loaded: the service waits for it only briefly. */
export function prefetchReturn(client: QueryClient): void {
  if (location.pathname === returnPage) void client.prefetchQuery(returnQuery)
}
