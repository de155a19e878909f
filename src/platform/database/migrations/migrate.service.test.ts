import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addShards, migrate, requireMigrated, runContracts, type MigrateResult } from './migrate.ts'
import { migrationsFolder, readMigrationFiles } from './migration-files.ts'
import { release } from '../../config/release.ts'
import { createTestDatabase, type TestDatabase } from '../../../../testing/in-process/test-database.ts'
import { runAlone } from '../../../../testing/process/databases.ts'

const scratch = await mkdtemp(join(tmpdir(), 'numera-migrations-'))
afterAll(() => rm(scratch, { recursive: true }))

const ownFolders = ['directory', 'access', 'shard'].map((name) => join(migrationsFolder, name))
const shards = `create table shards (shard integer primary key, added_at timestamptz);`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(scratch, 'case-'))
  for (const schema of ['directory', 'access', 'shard']) await mkdir(join(folder, schema))
  await writeFile(join(folder, 'directory/000001_shards.sql'), shards)
  await writeFile(join(folder, 'access/000001_calls.sql'), 'create table calls (id integer);')
  await writeFile(
    join(folder, 'shard/000001_one.sql'),
    'create table one (id integer); insert into one values (1);',
  )
  await writeFile(join(folder, 'shard/000002_two.sql'), 'insert into one values (2);')
})

test('Migrating applies what is missing, the directory first, and then nothing', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  expect(await migrate({ url, folder })).toEqual({
    applied: ['directory/000001_shards', 'access/000001_calls', 'shard_1/000001_one', 'shard_1/000002_two'],
  })
  await writeFile(join(folder, 'shard/000003_three.sql'), 'insert into one values (3);')
  await writeFile(join(folder, 'directory/000002_more.sql'), 'create table more (id integer);')
  expect(await migrate({ url, folder })).toEqual({
    applied: ['directory/000002_more', 'shard_1/000003_three'],
  })
  expect(await migrate({ url, folder })).toEqual({ applied: [] })
  expect((await pool.query('select id from one order by id')).rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect((await pool.query(`select to_regclass('directory.more') as more`)).rows).toEqual([{ more: 'more' }])
})

test('Every shard is brought up to date, each by its own history', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await migrate({ url, folder })
  await pool.query('insert into shards select shard, now() from generate_series(2, 20) as shard')
  await writeFile(join(folder, 'shard/000003_three.sql'), 'insert into one values (3);')
  const { applied } = await migrate({ url, folder })
  expect(applied).toHaveLength(1 + 19 * 3)
  expect(applied.slice(0, 4)).toEqual([
    'shard_1/000003_three',
    'shard_2/000001_one',
    'shard_2/000002_two',
    'shard_2/000003_three',
  ])
  expect((await pool.query('select count(*)::integer as rows from shard_20.one')).rows).toEqual([{ rows: 3 }])
})

test('A shard that fails to migrate keeps none of the others from it, and the next call resumes', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await migrate({ url, folder })
  await pool.query('insert into shards select shard, now() from generate_series(2, 3) as shard')
  await database.alter('create schema shard_2', 'create table shard_2.one (id text)')
  await expect(migrate({ url, folder })).rejects.toThrow('migration shard_2/000001_one failed')
  await database.alter('drop table shard_2.one')
  expect((await migrate({ url, folder })).applied).toEqual(['shard_2/000001_one', 'shard_2/000002_two'])
})

test('Processes that start concurrently apply each migration once', async () => {
  await using database = await createTestDatabase({ empty: true })
  const program = `
    import { migrate } from ${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))}
    const { applied } = await migrate({ url: process.env.URL })
    process.stdout.write(String(applied.length))`
  const runOnce = async (): Promise<number> => {
    const child = spawn('node', ['--input-type=module', '--eval', program], {
      env: { ...process.env, URL: database.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    return Number(output)
  }
  const applied = await Promise.all([runOnce(), runOnce(), runOnce()])
  const files = await Promise.all(ownFolders.map(readMigrationFiles))
  expect(applied.toSorted((a, b) => a - b)).toEqual([0, 0, files.flat().length])
})

test('A migration that fails leaves nothing of itself behind, and is named', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await writeFile(join(folder, 'shard/000003_three.sql'), 'create table three (id integer); select 1 / 0;')
  await expect(migrate({ url, folder })).rejects.toThrow(
    'migration shard_1/000003_three failed: division by zero',
  )
  const { rows } = await pool.query(
    `select to_regclass('three') as three, max(number) as last from migrations`,
  )
  expect(rows).toEqual([{ three: null, last: 2 }])
})

test('A file that changed after it was applied is refused', async () => {
  await using database = await createTestDatabase({ empty: true })
  await migrate({ url: database.url, folder })
  await writeFile(join(folder, 'shard/000002_two.sql'), 'insert into one values (22);')
  await expect(migrate({ url: database.url, folder })).rejects.toThrow(
    'shard_1/000002_two was changed after it was applied',
  )
})

/** The folder with further files, as a later version of the service has it. */
const later = async (files: Record<string, string>): Promise<string> => {
  const copied = await mkdtemp(join(scratch, 'later-'))
  await cp(folder, copied, { recursive: true })
  for (const [name, sql] of Object.entries(files)) await writeFile(join(copied, name), sql)
  return copied
}
const alone = async (): Promise<string[]> => []
/** Later than this one. */
const laterRelease = '999.0.0'

test('An older version works on newer expands, until a contract of a later release was run', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await migrate({ url, folder })
  const expanded = await later({ 'shard/000003_three.sql': 'create table three (id integer);' })
  await migrate({ url, folder: expanded })
  await requireMigrated({ url, folder })
  expect(await migrate({ url, folder })).toEqual({ applied: [] })
  await expect(addShards({ url, folder, count: 1 })).rejects.toThrow('of a later version')
  await pool.query(
    `insert into migrations (number, name, sha256, applied_at, contract) values (4, 'four', 'x', now(), '${laterRelease}')`,
  )
  const refusal = `has the contract shard_1/000004_four of release ${laterRelease}, and this process is of ${release}`
  await expect(migrate({ url, folder })).rejects.toThrow(refusal)
  await expect(requireMigrated({ url, folder })).rejects.toThrow(refusal)
})

test('A contract of no later release than this one does not stop it', async () => {
  await using database = await createTestDatabase({ empty: true })
  await migrate({ url: database.url, folder })
  await database.pool.query(
    `insert into migrations (number, name, sha256, applied_at, contract) values (3, 'three', 'x', now(), '${release}')`,
  )
  await requireMigrated({ url: database.url, folder })
})

test('Migrating passes over contracts; they run once no older process is found, each at its number', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await migrate({ url, folder })
  await addShards({ url, folder, count: 1 })
  const upgraded = await later({
    'shard/000003_drop.sql': `-- contract: ${release}\ndrop table one;`,
    'shard/000004_more.sql': 'create table more (id integer);',
    'shard/000005_future.sql': `-- contract: ${laterRelease}\ndrop table more;`,
  })
  expect((await migrate({ url, folder: upgraded })).applied).toEqual([
    'shard_1/000004_more',
    'shard_2/000004_more',
  ])
  await requireMigrated({ url, folder: upgraded })

  const requested: string[] = []
  const findOlder = async (before: string): Promise<string[]> => {
    requested.push(before)
    return ['0.1.0: 1']
  }
  expect(await runContracts({ url, folder: upgraded, findOlder })).toEqual({
    applied: [],
    older: ['0.1.0: 1'],
  })
  expect(requested).toEqual([release])
  expect((await pool.query('select id from one')).rowCount).toBe(2)

  // A shard that is added has what the others have.
  await addShards({ url, folder: upgraded, count: 1 })
  expect((await pool.query(`select to_regclass('shard_3.one') as one`)).rows).toEqual([
    { one: 'shard_3.one' },
  ])

  expect((await runContracts({ url, folder: upgraded, findOlder: alone })).applied).toEqual(
    [1, 2, 3].map((shard) => `shard_${shard}/000003_drop`),
  )
  await addShards({ url, folder: upgraded, count: 1 })
  const { rows } = await pool.query(
    `select to_regclass('shard_1.one') as first, to_regclass('shard_4.one') as last,
       array(select number from shard_4.migrations order by number) as numbers,
       (select contract from migrations where number = 3) as contract`,
  )
  expect(rows).toEqual([{ first: null, last: null, numbers: [1, 2, 3, 4], contract: release }])
  expect(await runContracts({ url, folder: upgraded, findOlder })).toEqual({ applied: [], older: [] })
})

test('An empty database gets the contracts too', async () => {
  await using database = await createTestDatabase({ empty: true })
  const upgraded = await later({ 'shard/000003_drop.sql': `-- contract: ${release}\ndrop table one;` })
  expect((await migrate({ url: database.url, folder: upgraded })).applied).toContain('shard_1/000003_drop')
})

test('A database from before contracts were recorded is migrated, and stays readable until then', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await migrate({ url, folder })
  for (const schema of ['directory', 'access', 'shard_1'])
    await database.alter(`alter table ${schema}.migrations drop column contract`)
  await requireMigrated({ url, folder })
  expect(await migrate({ url, folder })).toEqual({ applied: [] })
  expect((await pool.query('select contract from migrations')).rows).toEqual([
    { contract: null },
    { contract: null },
  ])
})

/** A transaction that has written a row of a table, until it is disposed of. */
const openWriter = async ({ pool }: TestDatabase): Promise<AsyncDisposable> => {
  const writer = await pool.connect()
  await writer.query('begin; insert into one values (3)')
  return {
    [Symbol.asyncDispose]: async () => {
      await writer.query('commit')
      writer.release()
    },
  }
}

test('A migration that waits for a lock lets other statements pass, and runs once the lock is free', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await migrate({ url, folder })
  const upgraded = await later({ 'shard/000003_column.sql': 'alter table one add column more text;' })
  let migrating: Promise<MigrateResult>
  let isMigrated = false
  let longestMs = 0
  {
    await using _ = await openWriter(database)
    migrating = migrate({ url, folder: upgraded })
    void migrating.then(() => (isMigrated = true))
    // Until one waits for a try of the migration, and is let go.
    const untilMs = performance.now() + 20_000
    while (longestMs < 1_000 && performance.now() < untilMs) {
      const startedMs = performance.now()
      await pool.query('select id from one')
      longestMs = Math.max(longestMs, performance.now() - startedMs)
    }
    expect(isMigrated).toBe(false)
  }
  expect((await migrating).applied).toEqual(['shard_1/000003_column'])
  expect(longestMs).toBeGreaterThan(1_000)
  expect(longestMs).toBeLessThan(3_000)
})

/** By name: whether the index is valid, and its id, as the server says where it is created. */
const readIndexes = async ({ url }: TestDatabase): Promise<Map<string, { valid: boolean; oid: string }>> => {
  const rows = await runAlone<{ name: string; valid: boolean; oid: string }>(
    url,
    `select indexrelid::regclass::text as name, indisvalid as valid, indexrelid::text as oid
     from pg_index where indrelid = 'shard_1.one'::regclass`,
  )
  return new Map(rows.map(({ name, valid, oid }) => [name.replace('shard_1.', ''), { valid, oid }]))
}

test('An index that was left invalid is created again, and one that was completed is kept', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await migrate({ url, folder })
  const upgraded = await later({
    'shard/000003_index.sql':
      'create unique index concurrently one_by_id on one (id);\n-- Why.\ncreate index concurrently one_again on one (id);',
    'shard/000004_check.sql': 'alter table one add constraint one_is_positive check (id > 0) not valid;',
    'shard/000005_validate.sql': 'alter table one validate constraint one_is_positive;',
  })
  await pool.query('insert into one values (2)')
  await expect(migrate({ url, folder: upgraded })).rejects.toThrow('shard_1/000003_index failed')
  expect((await readIndexes(database)).get('one_by_id')).toMatchObject({ valid: false })
  await pool.query('delete from one')
  await database.alter('create index one_again on one (id)')
  const again = (await readIndexes(database)).get('one_again')
  expect((await migrate({ url, folder: upgraded })).applied).toHaveLength(3)
  const indexes = await readIndexes(database)
  expect(indexes.get('one_by_id')).toMatchObject({ valid: true })
  expect(indexes.get('one_again')).toEqual(again)
  expect(indexes.size).toBe(2)
})

test('A migration that is killed while it builds an index is completed by the next one', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url } = database
  await migrate({ url, folder })
  const upgraded = await later({
    'shard/000003_index.sql': 'create index concurrently one_by_id on one (id);',
  })
  const program = `
    import { migrate } from ${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))}
    await migrate({ url: process.env.URL, folder: process.env.FOLDER })`
  let migrating: Promise<MigrateResult>
  {
    // The build waits for it.
    await using _ = await openWriter(database)
    const child = spawn('node', ['--input-type=module', '--eval', program], {
      env: { ...process.env, URL: url, FOLDER: upgraded },
      stdio: 'inherit',
    })
    await expect
      .poll(async () => (await readIndexes(database)).get('one_by_id'))
      .toMatchObject({ valid: false })
    child.kill('SIGKILL')
    await once(child, 'close')
    // The killed one's connection still builds.
    migrating = migrate({ url, folder: upgraded })
  }
  expect((await migrating).applied).toEqual(['shard_1/000003_index'])
  expect((await readIndexes(database)).get('one_by_id')).toMatchObject({ valid: true })
})

test('A first line that is nearly that of a contract is refused', async () => {
  await writeFile(join(folder, 'shard/000003_drop.sql'), '-- Contract: 0.3\ndrop table one;')
  await expect(readMigrationFiles(join(folder, 'shard'))).rejects.toThrow('not like "-- contract: 0.3.0"')
})

test('Migrations are numbered without gaps', async () => {
  await writeFile(join(folder, 'shard/000004_four.sql'), 'select 1;')
  await expect(readMigrationFiles(join(folder, 'shard'))).rejects.toThrow('should have the number 3')
  await writeFile(join(folder, 'shard/000003-three.sql'), 'select 1;')
  await expect(readMigrationFiles(join(folder, 'shard'))).rejects.toThrow('not named like')
})

test('This service’s own migrations are in order', async () => {
  for (const own of ownFolders) expect((await readMigrationFiles(own)).length).toBeGreaterThan(0)
})
