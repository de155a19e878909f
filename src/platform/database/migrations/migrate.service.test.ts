import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrationsFolder, readMigrationFiles } from './migration-files.ts'
import { createTestDatabase } from '../../../../testing/in-process/test-database.ts'

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

test('A database newer than the files is refused', async () => {
  await using database = await createTestDatabase({ empty: true })
  const newer = await mkdtemp(join(scratch, 'newer-'))
  await cp(folder, newer, { recursive: true })
  await writeFile(join(newer, 'shard/000003_three.sql'), 'select 1;')
  await migrate({ url: database.url, folder: newer })
  await expect(migrate({ url: database.url, folder })).rejects.toThrow('newer than this version')
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
