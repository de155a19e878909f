import { defineStatement } from '../define-statement.ts'

export interface ServerRow {
  is_standby: boolean
  /** Copies have those of the server that they were made from. */
  system_identifier: string
  database_id: string
  /** As text of days and instants is written. */
  date_style: string
  time_zone: string
  /** Of the library that sorts text; a copy on another system may have another one. */
  collation_version: string | null
}

/** What a standby must have in common with its primary. */
export const describeServer = defineStatement<ServerRow, Record<string, never>>(
  'standbys.describe-server',
  `
  select pg_is_in_recovery() as is_standby, control.system_identifier::text as system_identifier,
    pg_database.oid::text as database_id, current_setting('DateStyle') as date_style,
    current_setting('TimeZone') as time_zone, pg_database_collation_actual_version(pg_database.oid) as collation_version
  from pg_database
  cross join pg_control_system() as control
  where pg_database.datname = current_database()`,
)

/** Of the shard. Another deployment may have no such table. */
export const countMigrations = defineStatement<{ migrations: number }, Record<string, never>>(
  'standbys.count-migrations',
  `select count(*)::int4 as migrations from migrations`,
)
