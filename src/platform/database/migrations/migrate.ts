import { join } from 'node:path'
import { Client } from 'pg'
import { connectMsMax, keepAliveDelayMs } from '../deadlines.ts'
import { copyDirectory, createSchema, runCommands } from './citus.ts'
import { migrationsFolder, readMigrationFiles, type MigrationFile } from './migration-files.ts'
import { firstShard, sharedSchemas, toSearchPath, toShardSchema } from '../schemas.ts'

export interface MigrateOptions {
  url: string
  /** Has a folder for each of the shared schemas, and `shard`. */
  folder?: string
  /** The time to record, in milliseconds since 1970; the machine's by default, since there is no other yet. */
  now?: () => number
}

export interface MigrateResult {
  /** What this call applied, in order, such as `shard_1/000001_sources`. */
  applied: string[]
}

interface AppliedMigration {
  number: number
  name: string
  sha256: string
}

/** An arbitrary number that nothing else in this database uses for an advisory lock. */
const lockKey = 7_862_693_114

/** Shards that are migrated at the same time, each over a connection of its own. */
const concurrentShardsMax = 8

function label(schema: string, migration: { number: number; name: string }): string {
  return `${schema}/${String(migration.number).padStart(6, '0')}_${migration.name}`
}

/** @throws Error where the schema has other migrations than these */
function checkHistory(schema: string, files: MigrationFile[], applied: AppliedMigration[]): void {
  for (const migration of applied) {
    const file = files[migration.number - 1]
    if (!file) {
      throw new Error(
        `the database is newer than this version of the service: it has ${label(schema, migration)}. ` +
          `Start the version that migrated it, or a later one.`,
      )
    }
    if (file.sha256 !== migration.sha256) {
      throw new Error(
        `migration ${label(schema, file)} was changed after it was applied to this database. ` +
          `Restore the file and put the change into a new one.`,
      )
    }
  }
}

async function isPresent(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('${schema}.migrations') is not null as present`,
  )
  return rows[0]!.present
}

/** The files that a schema lacks: all of them if it does not exist. */
async function readMissing(client: Client, schema: string, files: MigrationFile[]): Promise<MigrationFile[]> {
  if (!(await isPresent(client, schema))) return files
  const { rows: applied } = await client.query<AppliedMigration>(
    `select number, name, sha256 from ${schema}.migrations order by number`,
  )
  checkHistory(schema, files, applied)
  return files.slice(applied.length)
}

async function readShards(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ shard: number }>(`select shard from directory.shards order by shard`)
  return rows.map(({ shard }) => shard)
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
 * Checks that all schemas are of this version. Changes nothing.
 *
 * @throws Error that says what to do, if the database is empty or of another version
 */
export async function requireMigrated({ url, folder = migrationsFolder }: MigrateOptions): Promise<void> {
  const client = await connect(url)
  try {
    // Waits for a process that is migrating it now.
    await client.query('select pg_advisory_lock_shared($1)', [lockKey])
    if (!(await isPresent(client, 'directory'))) {
      throw new Error(
        'The database is empty: "numera serve" or "numera migrate" creates its schemas. ' +
          'Nothing was changed.',
      )
    }
    const missing: string[] = []
    const check = async (schema: string, files: MigrationFile[]): Promise<void> => {
      for (const file of await readMissing(client, schema, files)) missing.push(label(schema, file))
    }
    for (const schema of sharedSchemas) await check(schema, await readMigrationFiles(join(folder, schema)))
    const files = await readMigrationFiles(join(folder, 'shard'))
    for (const shard of await readShards(client)) await check(toShardSchema(shard), files)
    if (missing.length === 0) return
    throw new Error(
      `The database is of an older version, without ${missing.join(', ')}: "numera migrate" brings it up to ` +
        'this one. Nothing was changed.',
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** Brings one schema up to `files`, each in its own transaction. Returns what was missing. */
async function migrateSchema(
  client: Client,
  schema: string,
  files: MigrationFile[],
  now: () => number,
): Promise<string[]> {
  await createSchema(client, schema)
  await client.query(`set search_path = ${toSearchPath(schema)}`)
  if (!(await isPresent(client, schema))) {
    await client.query(`
      create table migrations (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null
      )`)
  }
  const missing = await readMissing(client, schema, files)
  for (const file of missing) {
    try {
      await client.query('begin')
      await runCommands(client, file.commands)
      await client.query(
        'insert into migrations (number, name, sha256, applied_at) values ($1, $2, $3, $4)',
        [file.number, file.name, file.sha256, new Date(now()).toISOString()],
      )
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw new Error(`migration ${label(schema, file)} failed: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
  return missing.map((file) => label(schema, file))
}

async function migrateShards(
  url: string,
  shards: readonly number[],
  files: MigrationFile[],
  now: () => number,
): Promise<string[]> {
  const applied: string[][] = []
  const waiting = shards.entries()
  const migrateNext = async (): Promise<void> => {
    const client = await connect(url)
    try {
      for (const [index, shard] of waiting)
        applied[index] = await migrateSchema(client, toShardSchema(shard), files, now)
    } finally {
      await client.end().catch(() => {})
    }
  }
  const connections = Math.min(shards.length, concurrentShardsMax)
  const outcomes = await Promise.allSettled(Array.from({ length: connections }, migrateNext))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return applied.flat()
}

/**
 * Brings the shared schemas, and then all shards, up to this version's migrations, each in its own transaction. An empty
 * database gets its first shard. Concurrent calls are safe: one process migrates, the others wait and then find nothing
 * to do. What an interrupted call did not reach is done by the next.
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const { url, folder = migrationsFolder, now = Date.now } = options
  const client = await connect(url)
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const shared: string[] = []
    for (const schema of sharedSchemas) {
      const files = await readMigrationFiles(join(folder, schema))
      shared.push(...(await migrateSchema(client, schema, files, now)))
      if (schema === 'directory') await copyDirectory(client)
    }
    await client.query(
      `insert into shards (shard, added_at) select ${firstShard}, $1 where not exists (select from shards)`,
      [new Date(now()).toISOString()],
    )
    const files = await readMigrationFiles(join(folder, 'shard'))
    const shards = await migrateShards(url, await readShards(client), files, now)
    return { applied: [...shared, ...shards] }
  } finally {
    // Ending the session releases the lock.
    await client.end().catch(() => {})
  }
}

/**
 * Adds empty shards, with the numbers after the last. Concurrent calls are safe. One that was interrupted is completed by the
 * next one.
 *
 * @returns their numbers
 */
export async function addShards(options: MigrateOptions & { count: number }): Promise<number[]> {
  const { url, folder = migrationsFolder, count, now = Date.now } = options
  const client = await connect(url)
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const { rows } = await client.query<{ shard: number }>(
      `select last.shard + further as shard
       from (select max(shard) as shard from directory.shards) as last, generate_series(1, $1::integer) as further`,
      [count],
    )
    const added = rows.map(({ shard }) => shard)
    await migrateShards(url, added, await readMigrationFiles(join(folder, 'shard')), now)
    // Only now companies are placed there, and processes expect it to be complete.
    await client.query(
      'insert into directory.shards (shard, added_at) select shard, $2 from unnest($1::integer[]) as shard',
      [added, new Date(now()).toISOString()],
    )
    return added
  } finally {
    await client.end().catch(() => {})
  }
}
