import type { Queryable } from '../database/pool.ts'
import { consumeOfSubjects } from '../access/queries.ts'
import { readShare, type BucketRate, type BucketState } from './bucket.ts'

export type RateLimitResult = BucketState & { granted: boolean }

/**
 * Takes one token from the bucket of any subject (a client's network, a webhook source). All processes of a
 * deployment share the bucket; a subject is a word for what it is, a space, and its id.
 */
export async function consume(
  on: Queryable,
  subject: string,
  rate: BucketRate,
  nowMs: number,
): Promise<RateLimitResult> {
  const taken = await consumeOfSubjects(on, new Map([[subject, 1]]), rate, nowMs)
  return readShare(taken.get(subject)!, 0, nowMs * 1_000, rate)
}
