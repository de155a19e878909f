import { clientNetwork } from '../http/client-network.ts'
import { consume } from '../rate-limit/consume.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import type { Context } from '../service/context.ts'

/** Each sign-in costs an order at the provider, and anybody may begin one. An office is one network. */
export const signInRate = { perMinute: 60, burst: 200 }

/** Takes a token of the caller's network. @throws 429 `rate_limited` with `Retry-After` */
export async function limitSignIns(context: Pick<Context, 'pool' | 'clock'>, address: string): Promise<void> {
  const subject = `sign_in ${clientNetwork(address)}`
  const bucket = await consume(context.pool, subject, signInRate, context.clock.now())
  if (bucket.granted) return
  throw rateLimited(bucket.retryAfterSeconds, {
    message: 'Too many sign-ins were begun from this network; wait a little.',
  })
}
