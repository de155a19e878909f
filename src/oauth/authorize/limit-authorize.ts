import { clientNetwork } from '../../http/client-network.ts'
import { rateHeaders } from '../../rate-limit/rate-headers.ts'
import { consume } from '../../rate-limit/consume.ts'
import type { Context } from '../../service/context.ts'
import { tooManyRequests } from '../errors.ts'

/**
 * Consumes a token of the browser's network's bucket [oauth.limits].
 *
 * @returns the headers of [all.bucket]
 * @throws 429 `temporarily_unavailable` with `Retry-After`
 */
export async function limitAuthorize(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  address: string,
): Promise<Record<string, string>> {
  const rate = context.config.rates.oauth
  const subject = `authorize ${clientNetwork(address)}`
  const bucket = await consume(context.pool, subject, rate, context.clock.now())
  const headers = rateHeaders(rate, bucket)
  if (bucket.granted) return headers
  throw tooManyRequests('There were too many requests from this network.', headers, bucket.retryAfterSeconds)
}
