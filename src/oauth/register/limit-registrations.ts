import type { DirectoryContext } from '../../context.ts'
import type { Rate } from '../../platform/config/config.ts'
import { clientAddress } from '../../platform/http/requests/client-address.ts'
import { clientNetwork } from '../../platform/http/requests/client-network.ts'
import { consume, type RateLimitResult } from '../../platform/rate-limit/consume.ts'
import { rateHeaders } from '../../platform/rate-limit/rate-headers.ts'
import { tooManyRequests } from '../oauth-error.ts'
import { clampRegistrationHour, countRegistration, selectRegistrationHour } from './queries.ts'

type LimitContext = Pick<DirectoryContext, 'pool' | 'clock'>

/** Apps registered from one address: one every 20 seconds [oauth.limits]. Beyond it 429. */
export const addressRate: Rate = { perMinute: 3, burst: 3 }
/**
 * Refused registrations of one address: one every 20 seconds, burst 6. Beyond it 429. Together with the three above this is
 * less than a network's ten, so that one address leaves some to the others.
 */
const refusedRate: Rate = { perMinute: 3, burst: 6 }
/** Attempts to register from one client network: one every 20 seconds, burst 10. Beyond it 429. */
export const networkRate: Rate = { perMinute: 3, burst: 10 }

const hourMs = 60 * 60_000
/** Attempts to register in an hour, in the whole deployment: a further one is 429. */
export const attemptsInHourMax = 120

/** A bucket, or the hour; `limit` is what `RateLimit-Limit` says. */
type LimitResult = RateLimitResult & { limit: number }

async function consumeBucket(
  { pool, clock }: LimitContext,
  subject: string,
  rate: Rate,
): Promise<LimitResult> {
  return { ...(await consume(pool, subject, rate, clock.now())), limit: rate.perMinute }
}

/** Another process may have counted an attempt a moment after `nowMs`: at most an hour. */
function secondsUntilForgotten(attempt: Date | null, nowMs: number): number {
  return Math.max(1, Math.ceil(Math.min(hourMs, (attempt?.getTime() ?? 0) + hourMs - nowMs) / 1_000))
}

/** The attempts of the past hour in the whole deployment. */
async function consumeHour({ pool, clock }: LimitContext): Promise<LimitResult> {
  const nowMs = clock.now()
  const [now, since] = [new Date(nowMs), new Date(nowMs - hourMs)]
  const limit = attemptsInHourMax
  const counted = await countRegistration.first(pool, { now, since, attemptsMax: limit })
  if (counted !== undefined) {
    const remaining = limit - counted.tried
    return { granted: true, limit, remaining, resetSeconds: hourMs / 1_000, retryAfterSeconds: 1 }
  }
  await clampRegistrationHour.run(pool, { now })
  const { oldest, newest } = (await selectRegistrationHour.first(pool, { since }))!
  return {
    granted: false,
    limit,
    remaining: 0,
    resetSeconds: secondsUntilForgotten(newest, nowMs),
    retryAfterSeconds: secondsUntilForgotten(oldest, nowMs),
  }
}

function toHeaders(result: LimitResult): Record<string, string> {
  return rateHeaders({ perMinute: result.limit, burst: result.limit }, result)
}

/**
 * Counts an attempt to register against every limit (specification "Limits"; [oauth.limits]). Refused registrations count too,
 * for the address in a bucket of their own: a mistake in the metadata costs none of the three. An attempt beyond the limits
 * of its address or network does not count for the deployment.
 *
 * @param outcome whether the metadata fits, or the attempt will be refused
 * @returns the headers of [all.bucket], for the limit that leaves the fewest
 * @throws 429 `temporarily_unavailable` with `Retry-After`
 */
export async function limitRegistrations(
  context: LimitContext,
  ip: string,
  outcome: 'fits' | 'refused',
): Promise<Record<string, string>> {
  const address = clientAddress(ip)
  // In this order, so that one address or network uses up no more of the deployment's limit than its own allows.
  const limits = [
    () =>
      outcome === 'fits'
        ? consumeBucket(context, `register-address ${address}`, addressRate)
        : consumeBucket(context, `register-refused ${address}`, refusedRate),
    () => consumeBucket(context, `register-network ${clientNetwork(address)}`, networkRate),
    () => consumeHour(context),
  ]
  const results: LimitResult[] = []
  for (const limit of limits) {
    const result = await limit()
    results.push(result)
    if (!result.granted) {
      throw tooManyRequests(
        'There were too many registrations; wait as long as Retry-After says.',
        toHeaders(result),
        // An earlier limit may have given its last token to this attempt.
        Math.max(...results.map(({ retryAfterSeconds }) => retryAfterSeconds)),
      )
    }
  }
  return toHeaders(results.reduce((least, each) => (each.remaining < least.remaining ? each : least)))
}
