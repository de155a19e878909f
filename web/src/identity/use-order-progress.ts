import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import type { Progress } from './order.ts'

const pollIntervalMs = 2_000
/** The code is another one each second. How often the provider is asked is the service's to hold back. */
const codeIntervalMs = 1_000

/**
 * How long the page waits for an answer, in milliseconds; then the call is given up, and the order asked about again. The service
 * waits for a provider for a fraction of it. Where the answer given up had the outcome, the service says next that it is collected.
 */
export const answerMsMax = 8_000

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
 * @param options.session by whose token it is polled: with another one it is polled anew
 * @param options.showsCode the code is to follow the provider's
 * @param options.isPaused nothing is to be asked: another order is being begun in its place
 * @param options.isLaunched the person is in the app, and may come back to another tab, which then goes on: this one asks when it is
 *   seen again
 */
export function useOrderProgress<Collected extends Progress>(
  orderId: string,
  collect: (signal: AbortSignal) => Promise<Collected>,
  {
    session,
    showsCode,
    isPaused,
    isLaunched,
  }: {
    session: string | undefined
    showsCode: (latest: Collected | undefined) => boolean
    isPaused: boolean
    isLaunched: boolean
  },
): { latest: Collected | undefined; outcome: Collected | ApiError | undefined; isOffline: boolean } {
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: ['order', orderId, session],
    queryFn: () => collect(AbortSignal.timeout(answerMsMax)),
    enabled: !isPaused,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) =>
      outcomeOf(state.data, state.error) !== undefined || isSignedOut(state.error)
        ? false
        : showsCode(state.data)
          ? codeIntervalMs
          : pollIntervalMs,
    refetchIntervalInBackground: !isLaunched,
    refetchOnWindowFocus: ({ state: { data } }) => data === undefined || data.state === 'pending',
  })
  const outcome = outcomeOf(data, error)
  // The error itself goes while the first answer is asked for again.
  const isUnanswered = errorUpdatedAt > dataUpdatedAt
  return { latest: data, outcome, isOffline: isUnanswered && outcome === undefined && !isSignedOut(error) }
}
