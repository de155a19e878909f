import { forgetFullBuckets } from '../access/forget-full-buckets.ts'
import { forgetOldCalls } from '../app-connections/forget-old-calls.ts'
import type { Context } from '../context.ts'
import { pageLockTimeoutMs } from '../database/deadlines.ts'
import { createPool, endPool } from '../database/pool.ts'
import { forgetUnusedApps } from '../oauth/registration/forget-unused-apps.ts'
import { forgetExpiredAppTokens } from '../oauth/token/forget-expired-app-tokens.ts'
import { forgetExpiredCodes } from '../oauth/token/forget-expired-codes.ts'
import { forgetExpiredTokens } from '../oauth/token/forget-expired-tokens.ts'
import { forgetEndedSigningSecrets } from '../sources/forget-ended-signing-secrets.ts'

const everyMs = 60_000

/** What is past its time, each forgotten in a statement of its own. Any number of processes may do so at once. */
const chores = [
  forgetFullBuckets,
  forgetExpiredTokens,
  forgetExpiredCodes,
  forgetExpiredAppTokens,
  forgetUnusedApps,
  forgetOldCalls,
  forgetEndedSigningSecrets,
]

/**
 * Tidies up now and then, as long as the service runs. A chore that fails is tried again the next time. It has a
 * connection of its own, on which a statement may take longer than on a page's.
 */
export const startTidying = (context: Pick<Context, 'pool' | 'clock' | 'log'>): AsyncDisposable => {
  const { clock, log } = context
  const pool = createPool({
    url: context.pool.options.connectionString!,
    connectionsMax: 1,
    name: 'numera tidying',
    lockTimeoutMs: pageLockTimeoutMs,
    onIdleError: (error) => {
      if (!pool.ending) log.warn({ err: error }, 'a database connection broke')
    },
  })
  let running: Promise<void> = Promise.resolve()
  const tidy = async (): Promise<void> => {
    for (const chore of chores) {
      await chore({ pool, clock }).catch((error: unknown) => {
        log.warn({ err: error, chore: chore.name }, 'tidying failed')
      })
    }
  }
  const timer = setInterval(() => {
    running = running.then(tidy)
  }, everyMs)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      // A chore under way is cut where it takes too long: what it deletes will be there the next time.
      await endPool(pool)
      await running
    },
  }
}
