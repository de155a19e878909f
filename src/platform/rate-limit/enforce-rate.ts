import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.ts'
import type { Rate } from '../config/config.ts'
import { consume } from './consume.ts'
import { rateLimited } from './rate-limited.ts'

/** Consumes a token of a subject's bucket. @throws 429 `rate_limited` with `Retry-After` if there is none */
export async function enforceRate(
  { pool, clock }: { pool: Pool; clock: Clock },
  subject: string,
  rate: Rate,
  message: string,
): Promise<void> {
  const bucket = await consume(pool, subject, rate, clock.now())
  if (!bucket.granted) throw rateLimited(bucket.retryAfterSeconds, { message })
}
