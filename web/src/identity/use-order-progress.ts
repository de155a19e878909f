import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import type { Progress } from './order.ts'

const pollIntervalMs = 2_000
/** The code changes each second. The service limits how often it polls the provider. */
const codeIntervalMs = 1_000

/**
 * How long the page waits for an answer, in milliseconds, before it polls again. The service waits for a provider for a fraction of
 * that. Where the abandoned answer had the outcome, the service then says that the order is collected.
 */
const answerMsMax = 8_000

/** The session ended: the order waits until the person has signed in again. */
function isSignedOut(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401
}

/** What ended the order: the person's answer, or the service's refusal to say more about it. */
function toOutcome<Collected extends Progress>(
  data: Collected | undefined,
  error: Error | null,
): Collected | ApiError | undefined {
  if (error instanceof ApiError && error.isRefusal && !isSignedOut(error)) return error
  return data !== undefined && data.state !== 'pending' ? data : undefined
}

/**
 * Polls an order until it has an outcome, also in the background, since the person answers in another window. Failed polls are
 * repeated.
 *
 * @param options.session the token that it is polled with; another one starts over
 * @param options.showsCode whether to keep up with the provider's code
 * @param options.isPaused another order is being started in its place
 * @param options.isLaunched the person is in the app and may return to another tab, which then continues: this one polls again
 *   when it is visible
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
    refetchInterval: ({ state: { data, error } }) => {
      if (toOutcome(data, error) !== undefined || isSignedOut(error)) return false
      return showsCode(data) ? codeIntervalMs : pollIntervalMs
    },
    refetchIntervalInBackground: !isLaunched,
    refetchOnWindowFocus: ({ state: { data } }) => data === undefined || data.state === 'pending',
  })
  const outcome = toOutcome(data, error)
  // `error` is cleared while the first answer is fetched again.
  const hasFailed = errorUpdatedAt > dataUpdatedAt
  return { latest: data, outcome, isOffline: hasFailed && outcome === undefined && !isSignedOut(error) }
}
