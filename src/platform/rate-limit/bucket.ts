/**
 * Rate arithmetic [all.bucket], in whole microseconds. A bucket of `burst` tokens that gains one every
 * `intervalUs` is one number: the instant at which it is full again. Tokens are consumed in SQL (`refill.ts`); tests
 * compare that with the same arithmetic in `testing/in-process/consume-all.ts`.
 */
import type { Rate } from '../config/config.ts'

export interface BucketState {
  /** Tokens left. */
  remaining: number
  /** Seconds until it is full, rounded up. */
  resetSeconds: number
  /** Seconds until the next token, rounded up and at least 1. */
  retryAfterSeconds: number
}

const minuteUs = 60_000_000
const secondUs = 1_000_000

/** What several calls consumed of a bucket together. */
export interface ConsumedRow {
  /** When the bucket will be full again if no more calls arrive. */
  fullAtUs: number
  granted: number
}

/** How long the bucket takes to gain one token. */
export function intervalUs(rate: Rate): number {
  return Math.max(1, Math.round(minuteUs / rate.perMinute))
}

/** How long an empty bucket takes to fill. */
function sizeUs(rate: Rate): number {
  return rate.burst * intervalUs(rate)
}

/**
 * How long it takes until it is full: never longer than an empty one takes, even if it was written under a wrong clock.
 */
export function missingUs(fullAtUs: number, nowUs: number, rate: Rate): number {
  return Math.min(Math.max(0, fullAtUs - nowUs), sizeUs(rate))
}

/**
 * Whether the clock was put back since the bucket was written: it is full further in the future than it can be. Consuming
 * from it makes it an empty one; until then it stays as it is.
 */
export function isFromAhead(fullAtUs: number, nowUs: number, rate: Rate): boolean {
  return fullAtUs - nowUs > sizeUs(rate)
}

/** How many tokens there are. `fullAtUs` is any instant in the past for a bucket never used. */
export function tokensLeft(fullAtUs: number, nowUs: number, rate: Rate): number {
  return Math.floor((sizeUs(rate) - missingUs(fullAtUs, nowUs, rate)) / intervalUs(rate))
}

/** What a bucket's headers say at an instant. */
export function readBucket(fullAtUs: number, nowUs: number, rate: Rate): BucketState {
  const interval = intervalUs(rate)
  const missing = missingUs(fullAtUs, nowUs, rate)
  return {
    remaining: tokensLeft(fullAtUs, nowUs, rate),
    resetSeconds: Math.ceil(missing / secondUs),
    retryAfterSeconds: Math.max(1, Math.ceil((missing - (rate.burst - 1) * interval) / secondUs)),
  }
}

/** The result of one of several calls, counted from 0: tokens go to the first ones. */
export function readShare(
  taken: ConsumedRow,
  call: number,
  nowUs: number,
  rate: Rate,
): BucketState & { granted: boolean } {
  const granted = call < taken.granted
  // The bucket as it was after this call: the later ones' tokens are gone from it too.
  const later = granted ? taken.granted - call - 1 : 0
  return { ...readBucket(taken.fullAtUs - later * intervalUs(rate), nowUs, rate), granted }
}
