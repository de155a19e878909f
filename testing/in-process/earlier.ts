/**
 * SQL for the time in a column, by a number of milliseconds earlier. The difference of a time and an interval depends on the
 * session's time zone, so Citus refuses it in updates.
 */
export const earlier = (column: string, ms: string): string =>
  `to_timestamp((extract(epoch from ${column} - timestamptz 'epoch') - ${ms} / 1000.0)::float8)`
