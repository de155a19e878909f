import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { isOlderRelease, release } from '../../config/release.ts'
import { openClient } from '../open-client.ts'
import { copyDirectory, createSchema } from './citus.ts'
import { isPresent, readApplied, readMissing, toLabel } from './history.ts'
import { migrationsFolder, readMigrationFiles, type MigrationFile } from './migration-files.ts'
import { inLockedTransaction, retryLocked, runMigration } from './run-migration.ts'
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

/** Which of the missing migrations are to be run. */
type Selection = (file: MigrationFile) => boolean

/** An arbitrary number that nothing else in this database uses for an advisory lock. */
const lockKey = 7_862_693_114

/** Shards that are migrated at the same time, each over a connection of its own. */
const concurrentShardsMax = 8

const lockPollMs = 100

/**
 * Waits until no other process migrates. In tries: a statement that waited would have a snapshot, for whose end an index that
 * the other one builds concurrently waits.
 */
async function lockMigrations(
  client: Client,
  lock: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`select ${lock}($1) as locked`, [lockKey])
    if (rows[0]!.locked) return
    await sleep(lockPollMs)
  }
}

function isExpand({ contract }: MigrationFile): boolean {
  return contract === null
}

/** A contract may be run from its release on. */
function isDue({ contract }: MigrationFile): boolean {
  return contract === null || !isOlderRelease(release, contract)
}

async function readShards(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ shard: number }>(`select shard from directory.shards order by shard`)
  return rows.map(({ shard }) => shard)
}

/** A connection of its own: the lock belongs to the session, and a migration may outlast a pool's limits. */
function connect(url: string): Promise<Client> {
  return openClient(url, { name: 'numera migrate' })
}

/**
 * Checks that this release works on all schemas: they have its expands, and no contract that ends it. Changes nothing.
 *
 * @throws Error that says what to do, if it does not
 */
export async function requireMigrated({ url, folder = migrationsFolder }: MigrateOptions): Promise<void> {
  const client = await connect(url)
  try {
    // Waits for a process that is migrating it now.
    await lockMigrations(client, 'pg_try_advisory_lock_shared')
    if (!(await isPresent(client, 'directory'))) {
      throw new Error(
        'The database is empty: "numera serve" or "numera migrate" creates its schemas. ' +
          'Nothing was changed.',
      )
    }
    const missing: string[] = []
    const check = async (schema: string, files: MigrationFile[]): Promise<void> => {
      for (const file of (await readMissing(client, schema, files)).filter(isExpand))
        missing.push(toLabel(schema, file))
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

/** The table of a schema's migrations, created or, from before release 0.2.0, with the column that it lacks. */
async function createHistory(client: Client, schema: string): Promise<void> {
  if (!(await isPresent(client, schema))) {
    await client.query(`
      create table migrations (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null,
        contract text
      )`)
  }
  const { rows } = await client.query(
    `select from pg_attribute where attrelid = '${schema}.migrations'::regclass and attname = 'contract'`,
  )
  if (rows.length > 0) return
  await retryLocked(() =>
    inLockedTransaction(client, async () => {
      await client.query('alter table migrations add column contract text')
    }),
  )
}

/** Runs those of `files` that one schema lacks and `isSelected` selects. Returns their names. */
async function migrateSchema(
  client: Client,
  schema: string,
  files: MigrationFile[],
  isSelected: Selection,
  now: () => number,
): Promise<string[]> {
  await createSchema(client, schema)
  await client.query(`set search_path = ${toSearchPath(schema)}`)
  await createHistory(client, schema)
  const missing = (await readMissing(client, schema, files)).filter(isSelected)
  for (const file of missing) await runMigration(client, schema, file, now)
  return missing.map((file) => toLabel(schema, file))
}

async function migrateShards(
  url: string,
  shards: readonly number[],
  files: MigrationFile[],
  isSelected: Selection,
  now: () => number,
): Promise<string[]> {
  const applied: string[][] = []
  const waiting = shards.entries()
  const migrateNext = async (): Promise<void> => {
    const client = await connect(url)
    try {
      for (const [index, shard] of waiting)
        applied[index] = await migrateSchema(client, toShardSchema(shard), files, isSelected, now)
    } finally {
      await client.end().catch(() => {})
    }
  }
  const connections = Math.min(shards.length, concurrentShardsMax)
  const outcomes = await Promise.allSettled(Array.from({ length: connections }, migrateNext))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return applied.flat()
}

/** Runs the selected migrations of the shared schemas, and then of all shards. */
async function migrateAll(
  client: Client,
  { url, folder = migrationsFolder, now = Date.now }: MigrateOptions,
  isSelected: Selection,
): Promise<string[]> {
  const applied: string[] = []
  for (const schema of sharedSchemas) {
    const files = await readMigrationFiles(join(folder, schema))
    applied.push(...(await migrateSchema(client, schema, files, isSelected, now)))
    if (schema === 'directory') await copyDirectory(client)
  }
  await client.query(
    `insert into shards (shard, added_at) select ${firstShard}, $1 where not exists (select from shards)`,
    [new Date(now()).toISOString()],
  )
  const files = await readMigrationFiles(join(folder, 'shard'))
  return [...applied, ...(await migrateShards(url, await readShards(client), files, isSelected, now))]
}

/**
 * Brings the shared schemas, and then all shards, up to this version's expands; processes of older releases may run meanwhile.
 * An empty database gets its contracts too, and its first shard. Concurrent calls are safe: one process migrates, the others
 * wait and then find nothing to do. What an interrupted call did not reach is done by the next.
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const client = await connect(options.url)
  try {
    await lockMigrations(client, 'pg_try_advisory_lock')
    const isNew = !(await isPresent(client, 'directory'))
    return { applied: await migrateAll(client, options, isNew ? isDue : isExpand) }
  } finally {
    // Ending the session releases the lock.
    await client.end().catch(() => {})
  }
}

/** The contracts of this release and earlier ones that a schema lacks. */
async function readDueContracts(client: Client, folder: string): Promise<MigrationFile[]> {
  const shards = (await readShards(client)).map((shard) => ['shard', toShardSchema(shard)] as const)
  const due: MigrationFile[] = []
  for (const [kind, schema] of [...sharedSchemas.map((name) => [name, name] as const), ...shards]) {
    const missing = await readMissing(client, schema, await readMigrationFiles(join(folder, kind)))
    due.push(...missing.filter((file) => !isExpand(file) && isDue(file)))
  }
  return due
}

export interface RunContractsOptions extends MigrateOptions {
  /** Lists what still runs of releases before the given one. Processes that start meanwhile wait. */
  findOlder: (release: string) => Promise<string[]>
}

/**
 * Runs the contracts that are due, if `findOlder` finds nothing; else none. The database has the expands
 * (`requireMigrated`).
 *
 * @returns what was applied, and what was found
 */
export async function runContracts(
  options: RunContractsOptions,
): Promise<MigrateResult & { older: string[] }> {
  const client = await connect(options.url)
  try {
    await lockMigrations(client, 'pg_try_advisory_lock')
    const due = await readDueContracts(client, options.folder ?? migrationsFolder)
    const releases = due.map(({ contract }) => contract!)
    if (releases.length === 0) return { applied: [], older: [] }
    const newest = releases.reduce((one, other) => (isOlderRelease(one, other) ? other : one))
    const older = await options.findOlder(newest)
    return older.length > 0
      ? { applied: [], older }
      : { applied: await migrateAll(client, options, isDue), older }
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Adds empty shards, with the numbers after the last, and with the contracts that the others have. Concurrent calls are safe.
 * One that was interrupted is completed by the next one.
 *
 * @returns their numbers
 * @throws Error where the other shards are of a later version
 */
export async function addShards(options: MigrateOptions & { count: number }): Promise<number[]> {
  const { url, folder = migrationsFolder, count, now = Date.now } = options
  const client = await connect(url)
  try {
    await lockMigrations(client, 'pg_try_advisory_lock')
    const { rows } = await client.query<{ shard: number }>(
      `select last.shard + further as shard
       from (select max(shard) as shard from directory.shards) as last, generate_series(1, $1::integer) as further`,
      [count],
    )
    const added = rows.map(({ shard }) => shard)
    const files = await readMigrationFiles(join(folder, 'shard'))
    const [first = firstShard] = await readShards(client)
    const present = new Set((await readApplied(client, toShardSchema(first))).map(({ number }) => number))
    if ([...present].some((number) => number > files.length))
      throw new Error('The shards are of a later version: add others with that one. Nothing was changed.')
    await migrateShards(url, added, files, (file) => isExpand(file) || present.has(file.number), now)
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
