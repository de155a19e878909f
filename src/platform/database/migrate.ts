import { Client } from 'pg'
import { connectMsMax, keepAliveDelayMs } from './deadlines.ts'
import { migrationsFolder, readMigrationFiles, type MigrationFile } from './migration-files.ts'

export interface MigrateOptions {
  url: string
  folder?: string
  /** The time to record, in milliseconds since 1970; the machine's by default, since there is no other yet. */
  now?: () => number
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

/** An arbitrary number that nothing else in this database uses for an advisory lock. */
const lockKey = 7_862_693_114

function label(migration: { number: number; name: string }): string {
  return `${String(migration.number).padStart(6, '0')}_${migration.name}`
}

/** @throws Error where the database has other migrations than these */
function checkHistory(files: MigrationFile[], applied: AppliedMigration[]): void {
  for (const migration of applied) {
    const file = files[migration.number - 1]
    if (!file) {
      throw new Error(
        `the database is newer than this version of the service: it has ${label(migration)}. ` +
          `Start the version that migrated it, or a later one.`,
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

async function isPresent(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('migrations') is not null as present`,
  )
  return rows[0]!.present
}

async function readApplied(client: Client): Promise<AppliedMigration[]> {
  return (await client.query<AppliedMigration>('select number, name, sha256 from migrations order by number'))
    .rows
}

/** A connection of its own: the lock belongs to the session, and a migration may outlast a pool's limits. */
async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'numera migrate',
    connectionTimeoutMillis: connectMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
  })
  // The statement under way reports a broken connection.
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Checks that the database is of this version. Changes nothing.
 *
 * @throws Error that says what to do, if it is empty or of another version
 */
export async function requireMigrated({ url, folder = migrationsFolder }: MigrateOptions): Promise<void> {
  const files = await readMigrationFiles(folder)
  const client = await connect(url)
  try {
    // Waits for a process that is migrating it now.
    await client.query('select pg_advisory_lock_shared($1)', [lockKey])
    if (!(await isPresent(client))) {
      throw new Error(
        'The database is empty: "numera serve" or "numera migrate" creates its schema. ' +
          'Nothing was changed.',
      )
    }
    const applied = await readApplied(client)
    checkHistory(files, applied)
    const missing = files.slice(applied.length)
    if (missing.length === 0) return
    throw new Error(
      `The database is of an older version, without ${missing.map(label).join(', ')}: "numera migrate" brings it up to ` +
        'this one. Nothing was changed.',
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Brings the database up to this version's migrations, each in its own transaction. Concurrent calls
 * are safe: one process applies them, the others wait and then find nothing to do.
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const { url, folder = migrationsFolder, now = Date.now } = options
  const files = await readMigrationFiles(folder)
  const client = await connect(url)
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    if (!(await isPresent(client))) {
      await client.query(`
        create table migrations (
          number integer primary key,
          name text not null,
          sha256 text not null,
          applied_at timestamptz not null
        )`)
    }
    const applied = await readApplied(client)
    checkHistory(files, applied)

    const pending = files.slice(applied.length)
    for (const file of pending) {
      try {
        await client.query('begin')
        await client.query(file.sql)
        await client.query(
          'insert into migrations (number, name, sha256, applied_at) values ($1, $2, $3, $4)',
          [file.number, file.name, file.sha256, new Date(now()).toISOString()],
        )
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw new Error(`migration ${label(file)} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return { applied: pending.map(label) }
  } finally {
    // Ending the session releases the lock.
    await client.end().catch(() => {})
  }
}
