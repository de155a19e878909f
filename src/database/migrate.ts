import { Client } from 'pg'
import { systemClock, type Clock } from '../clock/clock.ts'
import { connectMsMax, keepAliveDelayMs } from './deadlines.ts'
import { migrationsFolder, readMigrationFiles, type MigrationFile } from './migration-files.ts'

export interface MigrateOptions {
  url: string
  folder?: string
  clock?: Clock
}

export interface MigrateResult {
  /** Names of the files applied by this call, in order. */
  applied: string[]
}

interface AppliedMigration {
  number: number
  name: string
  sha256: string
}

/** Any number that nothing else in this database uses for an advisory lock. */
const lockKey = 7_862_693_114

const label = (migration: { number: number; name: string }): string =>
  `${String(migration.number).padStart(6, '0')}_${migration.name}`

/** Refuses a database that was made by other files than the ones at hand. */
const checkHistory = (files: MigrationFile[], applied: AppliedMigration[]): void => {
  for (const migration of applied) {
    const file = files[migration.number - 1]
    if (!file) {
      throw new Error(
        `the database is newer than this version of the service: it has ${label(migration)}. ` +
          `Start the version that made it, or a later one.`,
      )
    }
    if (file.sha256 !== migration.sha256) {
      throw new Error(
        `migration ${label(file)} was changed after it was applied to this database. ` +
          `Restore the file and put the change into a new one.`,
      )
    }
  }
}

/**
 * Brings the database up to this version's migrations, each in its own transaction. Any number of processes may
 * call at once: one applies, the others wait and then find nothing to do.
 */
export const migrate = async (options: MigrateOptions): Promise<MigrateResult> => {
  const { url, folder = migrationsFolder, clock = systemClock } = options
  const files = await readMigrationFiles(folder)
  // A connection of its own: the lock belongs to the session, and a migration may outlast a pool's limits.
  const client = new Client({
    connectionString: url,
    application_name: 'numera migrate',
    connectionTimeoutMillis: connectMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
  })
  // A broken connection is reported by the statement under way.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const { rows: present } = await client.query<{ present: boolean }>(
      `select to_regclass('migrations') is not null as present`,
    )
    if (!present[0]?.present) {
      await client.query(`
        create table migrations (
          number integer primary key,
          name text not null,
          sha256 text not null,
          applied_at timestamptz not null
        )`)
    }
    const { rows: applied } = await client.query<AppliedMigration>(
      'select number, name, sha256 from migrations order by number',
    )
    checkHistory(files, applied)

    const pending = files.slice(applied.length)
    for (const file of pending) {
      try {
        await client.query('begin')
        await client.query(file.sql)
        await client.query(
          'insert into migrations (number, name, sha256, applied_at) values ($1, $2, $3, $4)',
          [file.number, file.name, file.sha256, new Date(clock.now()).toISOString()],
        )
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw new Error(`migration ${label(file)} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return { applied: pending.map(label) }
  } finally {
    // Ending the session gives the lock back.
    await client.end().catch(() => {})
  }
}
