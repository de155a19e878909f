import type { BucketRate, BucketReading } from './bucket.ts'

/** The headers of [all.bucket]. */
export const rateHeaders = (rate: BucketRate, reading: BucketReading): Record<string, string> => ({
  'RateLimit-Limit': String(rate.perMinute),
  'RateLimit-Remaining': String(reading.remaining),
  'RateLimit-Reset': String(reading.resetSeconds),
})
