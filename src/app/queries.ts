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
  { proven_at: Date | null; seen_at: Date | null; agreed_ms: string },
  None
>(
  'service.lock-time-proof',
  `
  select proven_at, seen_at, agreed_ms
  from expiry_sweep
  for update`,
)

export const updateTimeProof = defineStatement<
  never,
  { provenAt: Date | null; seenAt: Date; agreedMs: number }
>(
  'service.update-time-proof',
  `
  update expiry_sweep
  set proven_at = $provenAt::timestamptz, seen_at = $seenAt::timestamptz, agreed_ms = $agreedMs::bigint`,
)
