import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import type { Progress } from './order.ts'

const pollIntervalMs = 2_000

/** The session ended meanwhile: the order waits until someone is signed in again. */
function isSignedOut(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401
}

/** What ended the order, if anything has: the person's answer, or a refusal to say more about it. */
function outcomeOf<Collected extends Progress>(
  data: Collected | undefined,
  error: Error | null,
): Collected | ApiError | undefined {
  if (error instanceof ApiError && error.isRefusal && !isSignedOut(error)) return error
  return data !== undefined && data.state !== 'pending' ? data : undefined
}

/**
 * Polls an order until it has an outcome; also while the page is in the background, since the person answers in another
 * window. What gets no answer, or one that the service could not give, is polled again.
 *
 * @param session by whose token it is polled: with another one it is polled anew
 */
export function useOrderProgress<Collected extends Progress>(
  orderId: string,
  collect: () => Promise<Collected>,
  session: string | undefined,
): { outcome: Collected | ApiError | undefined; isOffline: boolean } {
  const { data, error } = useQuery({
    queryKey: ['order', orderId, session],
    queryFn: collect,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) =>
      outcomeOf(state.data, state.error) === undefined && !isSignedOut(state.error) ? pollIntervalMs : false,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: ({ state: { data } }) => data === undefined || data.state === 'pending',
  })
  const outcome = outcomeOf(data, error)
  return { outcome, isOffline: error !== null && outcome === undefined && !isSignedOut(error) }
}
