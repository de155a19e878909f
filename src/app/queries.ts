import { defineStatement } from '../platform/database/define-statement.ts'

type None = Record<string, never>

/** The migrations that the database has. Fails where there are none at all. */
export const readAppliedMigrations = defineStatement<{ number: number; sha256: string }, None>(
  'service.read-applied-migrations',
  `
  select number, sha256
  from migrations
  order by number`,
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
