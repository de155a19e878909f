import { defineStatement } from '../platform/database/define-statement.ts'

type None = Record<string, never>

export interface AppliedRow {
  schema: 'directory' | 'access' | 'shard'
  /** Both in order. */
  numbers: number[]
  sha256s: string[]
}

/** The migrations of the shared schemas. Fails where there are none at all. */
export const readAppliedMigrations = defineStatement<AppliedRow, None>(
  'service.read-applied-migrations',
  `
  select 'directory' as schema, array_agg(number order by number) as numbers,
    array_agg(sha256 order by number) as sha256s
  from directory.migrations
  union all
  select 'access', array_agg(number order by number), array_agg(sha256 order by number)
  from access.migrations`,
)

/** The migrations of the shard of the connection. Fails where there are none at all. */
export const readAppliedOfShard = defineStatement<AppliedRow, None>(
  'service.read-applied-of-shard',
  `
  select 'shard' as schema, array_agg(number order by number) as numbers, array_agg(sha256 order by number) as sha256s
  from migrations`,
)

export const lockTimeProof = defineStatement<
  { time_proven_at: Date | null; time_checked_at: Date | null; checks_agreed_for_ms: string },
  None
>(
  'service.lock-time-proof',
  `
  select time_proven_at, time_checked_at, checks_agreed_for_ms
  from expiry_sweep
  for update`,
)

/** Everything that was committed before `at` is in the segment, or in one before it. */
export const selectLogPosition = defineStatement<{ at: Date; segment: string }, None>(
  'service.select-log-position',
  `select clock_timestamp() as at, pg_walfile_name(pg_current_wal_flush_lsn()) as segment`,
)

export const selectProvenTime = defineStatement<{ time_proven_at: Date | null }, None>(
  'service.select-proven-time',
  `select time_proven_at from expiry_sweep`,
)

export const updateTimeProof = defineStatement<
  never,
  { provenAt: Date | null; checkedAt: Date; agreedForMs: number }
>(
  'service.update-time-proof',
  `
  update expiry_sweep
  set
    time_proven_at = $provenAt::timestamptz,
    time_checked_at = $checkedAt::timestamptz,
    checks_agreed_for_ms = $agreedForMs::bigint`,
)
