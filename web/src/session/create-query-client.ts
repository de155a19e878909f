import { MutationCache, notifyManager, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { isReachable, onReachability } from '../api/reachability.ts'
import { renewSession } from './use-session.ts'

const retriesMax = 2

/**
 * Calls that got no answer, or that the service could not serve, are retried; what it refused is not, and neither is a call
 * while the service is known to be unreachable: what failed then is read again once it is back.
 */
function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= retriesMax || !(error instanceof ApiError)) return false
  // With a time to wait, "Try again" counts it down.
  return (error.status === 0 && isReachable()) || (error.status >= 500 && error.retryAfterS === undefined)
}

// By itself the client tells pages of an answer with a timer, a task later than it could.
notifyManager.setScheduler(queueMicrotask)

onlineManager.setEventListener((setOnline) => onReachability(() => setOnline(isReachable())))

/** For every page. Whichever call finds that the session has changed, the page continues with the new one. */
export function createQueryClient(): QueryClient {
  function onError(error: Error): void {
    // 401: no one is signed in any more. 403: someone signed in again in another window, so that this page's token
    // against forged writes is no longer valid, or the role was taken away.
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) void renewSession(client)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Never paused: a call without a network fails at once and says so, and no write runs by itself when it is back.
      queries: { networkMode: 'always', refetchOnReconnect: true, retry: shouldRetry, staleTime: 60_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}
