/**
 * The rest of an insert into `rate_buckets as bucket` whose rows take tokens from a full bucket: where the bucket has
 * been used before, consume what it has (in tests, `testing/in-process/consume-all.ts`). What is stored is never further ahead than
 * the bucket takes to fill, so that one written under a clock that was ahead is right again at its next call.
 *
 * @param nowUs the instant, as SQL
 */
export function refill(nowUs: string): string {
  const granted = `least(excluded.granted, greatest(0, excluded.burst -
        (greatest(0, bucket.full_at_us - ${nowUs}) + excluded.interval_us - 1) / excluded.interval_us))`
  return `on conflict (subject) do update set
      full_at_us = least(greatest(bucket.full_at_us, ${nowUs}), ${nowUs} + excluded.burst * excluded.interval_us)
        + excluded.interval_us * ${granted},
      granted = ${granted},
      burst = excluded.burst,
      interval_us = excluded.interval_us`
}
