import { defineStatement } from '../database/define-statement.ts'

/** Not `now()`: that is when the transaction began. Milliseconds since 1970 (UTC), with fractions. */
export const readDatabaseTime = defineStatement<{ ms: number }, Record<string, never>>(
  'clock.read-database-time',
  `select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`,
)
