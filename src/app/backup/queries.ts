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

/** Of the server that is connected to: on Citus, of one node. */
export const selectArchiver = defineStatement<{ archived_at: Date | null; failed_at: Date | null }, None>(
  'backup.select-archiver',
  `select last_archived_time as archived_at, last_failed_time as failed_at from pg_stat_archiver`,
)
