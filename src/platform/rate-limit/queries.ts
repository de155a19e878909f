import { defineStatement } from '../database/define-statement.ts'
import { deleteSomeRows } from '../database/expired-rows.ts'
import { selectsFromTable } from '../database/schemas.ts'
import { refill } from './refill.ts'

/**
 * Takes at most as many tokens of each subject's bucket as it has calls, in the arithmetic of `bucket.ts`. Subjects are
 * written in order, so that processes cannot deadlock.
 */
export const consumeTokens = defineStatement<
  { subject: string; full_at_us: string; granted: number },
  { subjects: Buffer; calls: Buffer; bursts: Buffer; intervalsUs: Buffer; nowUs: number }
>(
  'rate-limit.consume-tokens',
  `
  insert into rate_buckets as bucket (subject, full_at_us, granted, burst, interval_us)
  select
    called.subject, $nowUs::bigint + least(called.calls, called.burst) * called.interval_us,
    least(called.calls, called.burst), called.burst, called.interval_us
  from unnest($subjects::text[], $calls::integer[], $bursts::integer[], $intervalsUs::bigint[])
    as called (subject, calls, burst, interval_us)
  where ${selectsFromTable}
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
