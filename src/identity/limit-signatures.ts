import { consume } from '../rate-limit/consume.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import type { Context } from '../service/context.ts'

/** Each signature costs an order at the provider, and a row with its text for a day. */
export const signatureRate = { perMinute: 30, burst: 100 }

/** Takes a token of the member's. @throws 429 `rate_limited` with `Retry-After` */
export async function limitSignatures(
  context: Pick<Context, 'pool' | 'clock'>,
  memberId: string,
): Promise<void> {
  const bucket = await consume(context.pool, `signature ${memberId}`, signatureRate, context.clock.now())
  if (bucket.granted) return
  throw rateLimited(bucket.retryAfterSeconds, {
    message: 'Too many signatures were begun by you; wait a little.',
  })
}
