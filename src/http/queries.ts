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
export const readAppliedMigrations = (on: Queryable): Promise<{ number: number; sha256: string }[]> =>
  appliedMigrations.rows(on, [])
