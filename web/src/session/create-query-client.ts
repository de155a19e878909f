import { MutationCache, notifyManager, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { isReachable, onReachability } from '../api/reachability.ts'
import { renewSession } from './use-session.ts'

const retriesMax = 2

/** Retries calls without an answer and those that failed in the service. After an outage, failed queries are refetched anyway. */
function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= retriesMax || !(error instanceof ApiError)) return false
  // After `Retry-After`, the person tries again.
  return (error.status === 0 && isReachable()) || (error.status >= 500 && error.retryAfterS === undefined)
}

// The default, a timer, would update the pages one task later.
notifyManager.setScheduler(queueMicrotask)

onlineManager.setEventListener((setOnline) => onReachability(() => setOnline(isReachable())))

/** The query client of every page. When any call finds that the session has changed, it is read again. */
export function createQueryClient(): QueryClient {
  function onError(error: Error): void {
    // 401: the session ended. 403: another window has a new session, so that this page's CSRF token is no longer valid,
    // or the role was taken away.
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) void renewSession(client)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Without a network, calls fail instead of waiting for it: no write may run by itself later.
      queries: { networkMode: 'always', refetchOnReconnect: true, retry: shouldRetry, staleTime: 60_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}
