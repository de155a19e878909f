import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { renewSession } from './use-session.ts'

const retriesMax = 2

/** Calls that got no answer, or that the service could not serve, are retried; what it refused is not. */
function shouldRetry(failures: number, error: Error): boolean {
  return failures < retriesMax && error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** For every page. Whichever call finds that the session has changed, the page continues with the new one. */
export function createQueryClient(): QueryClient {
  function onError(error: Error): void {
    // 401: no one is signed in any more. 403: someone signed in again in another window, so that this page's token
    // against forged writes is no longer valid.
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) void renewSession(client)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: shouldRetry, staleTime: 60_000 } },
  })
  return client
}
