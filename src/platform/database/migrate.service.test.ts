import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrationsFolder, readMigrationFiles } from './migration-files.ts'
import { createTestDatabase } from '../../../testing/in-process/test-database.ts'

const scratch = await mkdtemp(join(tmpdir(), 'numera-migrations-'))
afterAll(() => rm(scratch, { recursive: true }))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(scratch, 'case-'))
  await writeFile(
    join(folder, '000001_one.sql'),
    'create table one (id integer); insert into one values (1);',
  )
  await writeFile(join(folder, '000002_two.sql'), 'insert into one values (2);')
})

test('Migrating applies what is missing, in order, and then nothing', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  expect(await migrate({ url, folder })).toEqual({ applied: ['000001_one', '000002_two'] })
  await writeFile(join(folder, '000003_three.sql'), 'insert into one values (3);')
  expect(await migrate({ url, folder })).toEqual({ applied: ['000003_three'] })
  expect(await migrate({ url, folder })).toEqual({ applied: [] })
  expect((await pool.query('select id from one order by id')).rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
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
  const files = await readMigrationFiles()
  expect(applied.toSorted((a, b) => a - b)).toEqual([0, 0, files.length])
})

test('A migration that fails leaves nothing of itself behind, and is named', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { url, pool } = database
  await writeFile(join(folder, '000003_three.sql'), 'create table three (id integer); select 1 / 0;')
  await expect(migrate({ url, folder })).rejects.toThrow('migration 000003_three failed: division by zero')
  const { rows } = await pool.query(
    `select to_regclass('three') as three, max(number) as last from migrations`,
  )
  expect(rows).toEqual([{ three: null, last: 2 }])
})

test('A file that changed after it was applied is refused', async () => {
  await using database = await createTestDatabase({ empty: true })
  await migrate({ url: database.url, folder })
  await writeFile(join(folder, '000002_two.sql'), 'insert into one values (22);')
  await expect(migrate({ url: database.url, folder })).rejects.toThrow(
    '000002_two was changed after it was applied',
  )
})

test('A database newer than the files is refused', async () => {
  await using database = await createTestDatabase({ empty: true })
  const newer = await mkdtemp(join(scratch, 'newer-'))
  await cp(folder, newer, { recursive: true })
  await writeFile(join(newer, '000003_three.sql'), 'select 1;')
  await migrate({ url: database.url, folder: newer })
  await expect(migrate({ url: database.url, folder })).rejects.toThrow('newer than this version')
})

test('Migrations are numbered without gaps', async () => {
  await writeFile(join(folder, '000004_four.sql'), 'select 1;')
  await expect(readMigrationFiles(folder)).rejects.toThrow('should have the number 3')
  await writeFile(join(folder, '000003-three.sql'), 'select 1;')
  await expect(readMigrationFiles(folder)).rejects.toThrow('not named like')
})

test('This service’s own migrations are in order', async () => {
  expect((await readMigrationFiles(migrationsFolder)).length).toBeGreaterThan(0)
})
