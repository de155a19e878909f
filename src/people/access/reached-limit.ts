import { rateLimited } from '../../platform/rate-limit/rate-limited.ts'

/** The limits of a company beyond which its deliveries are refused. */
export type ReachedLimit = 'cells' | 'stored_bytes' | 'waiting_bytes' | 'waiting_deliveries'

/** `Retry-After` if a limit of what waits to be parsed is reached: that is parsed within minutes. */
export const waitingRetryAfterSeconds = 60
/** `Retry-After` if a limit of what is stored is reached: the operator has to raise it. */
export const storedRetryAfterSeconds = 3_600

const answers: Record<ReachedLimit, [limit: string, retryAfterSeconds: number]> = {
  cells: ['cells', storedRetryAfterSeconds],
  stored_bytes: ['stored bytes', storedRetryAfterSeconds],
  waiting_bytes: ['bytes that wait to be parsed', waitingRetryAfterSeconds],
  waiting_deliveries: ['deliveries that wait to be parsed', waitingRetryAfterSeconds],
}

/**
 * Refuses a delivery of a company that has reached a limit: at "rate" in the orders of [push.order] and [hook.order].
 *
 * @throws 429 `rate_limited` with `Retry-After`: the sender tries again, and nothing is lost
 */
export function requireWithinLimits(reached: ReachedLimit | null | undefined): void {
  if (reached === null || reached === undefined) return
  const [limit, retryAfterSeconds] = answers[reached]
  const advice =
    retryAfterSeconds === storedRetryAfterSeconds
      ? 'The operator of this service can raise it.'
      : 'Send it again later.'
  throw rateLimited(retryAfterSeconds, {
    message: `The company has reached its limit of ${limit}; nothing was stored. ${advice}`,
  })
}
