import { defineStatement } from '../../platform/database/define-statement.ts'

type None = Record<string, never>

/** Everything that was committed before `at` is in the segment, or in one before it. */
export const selectLogPosition = defineStatement<{ at: Date; segment: string }, None>(
  'backup.select-log-position',
  `select clock_timestamp() as at, pg_walfile_name(pg_current_wal_flush_lsn()) as segment`,
)

export const selectProvenTime = defineStatement<{ time_proven_at: Date | null }, None>(
  'backup.select-proven-time',
  `select time_proven_at from expiry_sweep`,
)
