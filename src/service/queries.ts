import { defineStatement } from '../database/define-statement.ts'
import type { Queryable } from '../database/pool.ts'

const appliedMigrations = defineStatement<{ number: number; sha256: string }>(
  'http.applied_migrations',
  `
  select number, sha256
  from migrations
  order by number`,
)

/** The migrations that the database has. Fails where there are none at all. */
export function readAppliedMigrations(on: Queryable): Promise<{ number: number; sha256: string }[]> {
  return appliedMigrations.rows(on, [])
}

export const lockTimeProof = defineStatement<
  { proven_at: Date | null; seen_at: Date | null; agreed_ms: string },
  []
>(
  'http.lock_time_proof',
  `
  select proven_at, seen_at, agreed_ms
  from expiry_sweep
  for update`,
)

export const updateTimeProof = defineStatement<
  never,
  [provenAt: Date | null, seenAt: Date, agreedMs: number]
>(
  'http.update_time_proof',
  `
  update expiry_sweep
  set proven_at = $1::timestamptz, seen_at = $2::timestamptz, agreed_ms = $3::bigint`,
)
