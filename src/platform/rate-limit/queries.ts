import { defineStatement } from '../database/define-statement.ts'
import { deleteSomeRows } from '../database/expired-rows.ts'
import { refill } from './refill.ts'

/**
 * Takes at most as many tokens of each subject's bucket as it has calls, in the arithmetic of `bucket.ts`. Subjects are
 * written in order, so that processes cannot deadlock.
 */
export const consumeTokens = defineStatement<
  { subject: string; full_at_us: string; granted: number },
  { subjects: Buffer; calls: Buffer; nowUs: number; burst: number; intervalUs: number }
>(
  'rate-limit.consume-tokens',
  `
  insert into rate_buckets as bucket (subject, full_at_us, granted, burst, interval_us)
  select
    called.subject, $nowUs::bigint + least(called.calls, $burst::integer) * $intervalUs::bigint,
    least(called.calls, $burst::integer), $burst::integer, $intervalUs::bigint
  from unnest($subjects::text[], $calls::integer[]) as called (subject, calls)
  order by called.subject
  ${refill('$nowUs::bigint')}
  returning bucket.subject, bucket.full_at_us, bucket.granted`,
)

/**
 * Calls lock buckets in an order that a scan of the table does not follow: a bucket that one is using is left alone.
 */
export const deleteBucketsFullBefore = defineStatement<never, { nowUs: number; rowsMax: number }>(
  'rate-limit.delete-buckets-full-before',
  deleteSomeRows('rate_buckets', 'subject', 'full_at_us < $nowUs::bigint'),
)
