import { clientAddress } from '../../http/client-address.ts'
import { clientNetwork } from '../../http/client-network.ts'
import { rateHeaders } from '../../rate-limit/rate-headers.ts'
import { consume, type RateLimitResult } from '../../rate-limit/consume.ts'
import type { Rate } from '../../config/config.ts'
import type { Context } from '../../service/context.ts'
import { tooManyRequests } from '../errors.ts'
import type { OauthError } from '../oauth-error.ts'
import { countRegistration, readRegistrationHour } from './queries.ts'

type LimitContext = Pick<Context, 'pool' | 'clock'>

/** Apps registered from one address: one every 20 seconds [oauth.limits]. Beyond it 429. */
export const addressRate: Rate = { perMinute: 3, burst: 3 }
/**
 * Refused registrations of one address: one every 20 seconds, six at once. Beyond it 429. Together with the three above it is
 * less than a network's ten, so that one address leaves something to the others.
 */
export const refusedRate: Rate = { perMinute: 3, burst: 6 }
/** Attempts to register from one client network: one every 20 seconds, ten at once. Beyond it 429. */
export const networkRate: Rate = { perMinute: 3, burst: 10 }

const hourMs = 60 * 60_000
/** Attempts to register in an hour, in the whole deployment: a further one is 429. */
export const attemptsInHourMax = 120

interface LimitResult extends RateLimitResult {
  /** What `RateLimit-Limit` says. */
  limit: number
}

async function consumeOfAddress(context: LimitContext, address: string): Promise<LimitResult> {
  return {
    ...(await consume(context.pool, `register-address ${address}`, addressRate, context.clock.now())),
    limit: addressRate.perMinute,
  }
}

async function consumeRefused(context: LimitContext, address: string): Promise<LimitResult> {
  return {
    ...(await consume(context.pool, `register-refused ${address}`, refusedRate, context.clock.now())),
    limit: refusedRate.perMinute,
  }
}

async function consumeOfNetwork(context: LimitContext, address: string): Promise<LimitResult> {
  return {
    ...(await consume(
      context.pool,
      `register-network ${clientNetwork(address)}`,
      networkRate,
      context.clock.now(),
    )),
    limit: networkRate.perMinute,
  }
}

/** Another process may have counted an attempt a moment after `nowMs`; it is told as an hour at most. */
function secondsUntilLeft(attempt: Date | null, nowMs: number): number {
  return Math.max(1, Math.ceil(Math.min(hourMs, (attempt?.getTime() ?? 0) + hourMs - nowMs) / 1_000))
}

/** The attempts of the past hour in the whole deployment, each counted until an hour after it was made. */
async function consumeOfHour(context: LimitContext): Promise<LimitResult> {
  const now = context.clock.now()
  const since = new Date(now - hourMs)
  const limit = attemptsInHourMax
  const attempts = await countRegistration(context.pool, {
    now: new Date(now),
    since,
    attemptsMax: attemptsInHourMax,
  })
  if (attempts !== undefined) {
    const remaining = attemptsInHourMax - attempts
    return { granted: true, limit, remaining, resetSeconds: hourMs / 1_000, retryAfterSeconds: 1 }
  }
  const { oldest, newest } = await readRegistrationHour(context.pool, { now: new Date(now), since })
  return {
    granted: false,
    limit,
    remaining: 0,
    resetSeconds: secondsUntilLeft(newest, now),
    retryAfterSeconds: secondsUntilLeft(oldest, now),
  }
}

/** In this order, so that one address or network takes no more from the deployment than its own limit allows. */
const limits = {
  fits: [consumeOfAddress, consumeOfNetwork, consumeOfHour],
  refused: [consumeRefused, consumeOfNetwork, consumeOfHour],
}

function headersOf(result: LimitResult): Record<string, string> {
  return rateHeaders({ perMinute: result.limit, burst: result.limit }, result)
}

function tooMany(results: LimitResult[]): OauthError {
  return tooManyRequests(
    'There were too many registrations; wait as long as Retry-After says.',
    headersOf(results.at(-1)!),
    // An earlier limit may have given its last token to this attempt.
    Math.max(...results.map(({ retryAfterSeconds }) => retryAfterSeconds)),
  )
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
  outcome: keyof typeof limits,
): Promise<Record<string, string>> {
  const address = clientAddress(ip)
  const results: LimitResult[] = []
  for (const limit of limits[outcome]) {
    const result = await limit(context, address)
    results.push(result)
    if (!result.granted) throw tooMany(results)
  }
  return headersOf(results.reduce((least, each) => (each.remaining < least.remaining ? each : least)))
}
