/*
 * The client's own token bucket. It follows `RateLimit-Limit`, `-Remaining` and `-Reset`, so that a loop waits before a call
 * and gets no 429. Source: specification, "Limits".
 */

export interface Bucket {
  /** Calls that may be made now; below 0 are those that already wait. */
  tokens: number
  size: number
  perSecond: number
  atMs: number
}

/** A service connection's: 60 a minute, burst 20, until an answer says otherwise. */
export const newBucket = (nowMs: number): Bucket => ({ tokens: 20, size: 20, perSecond: 1, atMs: nowMs })

function refill({ tokens, size, perSecond, atMs }: Bucket, nowMs: number): number {
  return Math.min(size, tokens + (Math.max(nowMs - atMs, 0) / 1000) * perSecond)
}

/** Takes a token, and says for how long its call has to wait. Calls get their turns in sequence. */
export function takeToken(bucket: Bucket, nowMs: number): { bucket: Bucket; waitMs: number } {
  const tokens = refill(bucket, nowMs) - 1
  const waitMs = tokens < 0 ? Math.ceil((-tokens / bucket.perSecond) * 1000) : 0
  return { bucket: { ...bucket, tokens, atMs: nowMs }, waitMs }
}

export interface RateHeaders {
  /** Calls a minute. */
  limit: number
  remaining: number
  /** Seconds until the bucket is full. */
  reset: number
}

/**
 * The bucket after an answer with these headers.
 *
 * @param outstanding calls that have a token and no answer yet: the service may not have counted them
 */
export function followHeaders(
  bucket: Bucket,
  { limit, remaining, reset }: RateHeaders,
  outstanding: number,
  nowMs: number,
): Bucket {
  if (![limit, remaining, reset].every((value) => Number.isFinite(value) && value >= 0) || limit === 0) {
    return bucket
  }
  const perSecond = limit / 60
  const size = Math.max(1, remaining + Math.floor(reset * perSecond))
  return { tokens: remaining - outstanding, size, perSecond, atMs: nowMs }
}
