import { rateLimited } from '../rate-limit/rate-limited.ts'

/** The limits of a company beyond which no delivery is taken. */
export type ReachedLimit = 'cells' | 'stored_bytes' | 'waiting_bytes' | 'waiting_deliveries'

/** `Retry-After` where a limit of what waits to be parsed is reached: that is parsed within minutes. */
export const waitingRetryAfterSeconds = 60
/** `Retry-After` where a limit of what is stored is reached: somebody has to make room. */
export const storedRetryAfterSeconds = 3_600

const answers: Record<ReachedLimit, { message: string; retryAfterSeconds: number }> = {
  cells: {
    message:
      'The company has reached its limit of cells; nothing was kept. Whoever runs this service can raise it.',
    retryAfterSeconds: storedRetryAfterSeconds,
  },
  stored_bytes: {
    message:
      'The company has reached its limit of stored bytes; nothing was kept. Whoever runs this service can raise it.',
    retryAfterSeconds: storedRetryAfterSeconds,
  },
  waiting_bytes: {
    message:
      'The company has reached its limit of bytes that wait to be read; nothing was kept. Send it again later.',
    retryAfterSeconds: waitingRetryAfterSeconds,
  },
  waiting_deliveries: {
    message:
      'The company has reached its limit of deliveries that wait to be read; nothing was kept. Send it again later.',
    retryAfterSeconds: waitingRetryAfterSeconds,
  },
}

/**
 * Refuses a delivery of a company that has reached a limit: at "rate" in the orders of [push.order] and [hook.order].
 *
 * @throws 429 `rate_limited` with an honest `Retry-After`: senders send it again, and nothing is lost
 */
export function requireWithinLimits(reached: ReachedLimit | null | undefined): void {
  if (reached === null || reached === undefined) return
  const { message, retryAfterSeconds } = answers[reached]
  throw rateLimited(retryAfterSeconds, { message })
}
