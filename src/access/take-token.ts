import type { Queryable } from '../database/pool.ts'
import { takeSubjectTokens } from './queries.ts'
import { readBucket, type BucketRate, type BucketReading } from './token-bucket.ts'

/**
 * Takes one token from the bucket of any subject (a client's network, a webhook source). All processes of a
 * deployment share the bucket; a subject is a word for what it is, a space, and its id.
 */
export const takeToken = async (
  on: Queryable,
  subject: string,
  rate: BucketRate,
  nowMs: number,
): Promise<BucketReading & { granted: boolean }> => {
  const { fullAtUs, granted } = await takeSubjectTokens(on, subject, 1, rate, nowMs)
  return { ...readBucket(fullAtUs, nowMs * 1_000, rate), granted: granted === 1 }
}
