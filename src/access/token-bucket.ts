/**
 * Rate arithmetic (reading `all.bucket`), in whole microseconds. A bucket of `burst` tokens that gains one every
 * `intervalUs` is one number: the instant at which it is full again. `queries.ts` does the same arithmetic in SQL,
 * and a test holds the two against each other.
 */

export interface BucketRate {
  /** What `RateLimit-Limit` says: calls a minute. */
  perMinute: number
  /** How many tokens a full bucket holds. */
  burst: number
}

export interface BucketReading {
  /** Tokens left. */
  remaining: number
  /** Seconds until it is full, rounded up. */
  resetSeconds: number
  /** Seconds until the next token, rounded up and at least 1. */
  retryAfterSeconds: number
}

const minuteUs = 60_000_000
const secondUs = 1_000_000

/** What several calls took of a bucket at once. */
export interface TakenTokens {
  /** When the bucket is full again after all of them. */
  fullAtUs: number
  granted: number
}

/** How long the bucket takes to gain one token. */
export const intervalUs = (rate: BucketRate): number => Math.max(1, Math.round(minuteUs / rate.perMinute))

/** How many tokens there are. `fullAtUs` is any instant in the past for a bucket never used. */
export const tokensLeft = (fullAtUs: number, nowUs: number, rate: BucketRate): number => {
  const interval = intervalUs(rate)
  const missingUs = Math.max(0, fullAtUs - nowUs)
  return Math.max(0, Math.floor((rate.burst * interval - missingUs) / interval))
}

/** Takes up to `asked` tokens: as many as there are. */
export const takeTokens = (fullAtUs: number, nowUs: number, asked: number, rate: BucketRate): TakenTokens => {
  const granted = Math.min(asked, tokensLeft(fullAtUs, nowUs, rate))
  return { fullAtUs: Math.max(fullAtUs, nowUs) + granted * intervalUs(rate), granted }
}

/** What a bucket's headers say at an instant. */
export const readBucket = (fullAtUs: number, nowUs: number, rate: BucketRate): BucketReading => {
  const interval = intervalUs(rate)
  const missingUs = Math.max(0, fullAtUs - nowUs)
  return {
    remaining: tokensLeft(fullAtUs, nowUs, rate),
    resetSeconds: Math.ceil(missingUs / secondUs),
    // A statement that another one overtook may see a bucket from after its own instant: the next token is never farther
    // away than one interval.
    retryAfterSeconds: Math.max(
      1,
      Math.ceil(Math.min(interval, missingUs - (rate.burst - 1) * interval) / secondUs),
    ),
  }
}

/** What one of the calls that took tokens at once is told, counted from 0: tokens go to those that came first. */
export const readShare = (
  taken: TakenTokens,
  call: number,
  nowUs: number,
  rate: BucketRate,
): BucketReading & { granted: boolean } => {
  const granted = call < taken.granted
  // The bucket as it was after this call: the later ones' tokens are gone from it too.
  const later = granted ? taken.granted - call - 1 : 0
  return { ...readBucket(taken.fullAtUs - later * intervalUs(rate), nowUs, rate), granted }
}
