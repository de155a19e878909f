import type { Rate } from '../config/config.ts'
import type { BucketState } from './bucket.ts'

/** The headers of [all.bucket]. */
export function rateHeaders(rate: Rate, result: BucketState): Record<string, string> {
  return {
    'RateLimit-Limit': String(rate.perMinute),
    'RateLimit-Remaining': String(result.remaining),
    'RateLimit-Reset': String(result.resetSeconds),
  }
}
