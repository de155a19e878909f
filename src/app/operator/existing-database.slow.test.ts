import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../../../testing/in-process/run-main.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-no-database-'))
})
afterAll(() => rm(folder, { recursive: true }))

const run = (words: string, environment: NodeJS.ProcessEnv) => runMain(words.split(' '), environment)

const at = ({ url }: TestDatabase) => ({
  DATABASE_URL: url,
  NUMERA_MASTER_KEY: testMasterKey,
  NUMERA_DATA_FOLDER: folder,
})

test.each(['company list', 'company add --orgnr 556016-0680 --name Bageriet', 'rebuild --check', 'reseal'])(
  'numera %s creates no database in an empty or missing data folder',
  async (words) => {
    for (const dataFolder of [folder, join(folder, 'missing')]) {
      expect(await run(words, { NUMERA_DATA_FOLDER: dataFolder })).toEqual({
        code: 1,
        out: '',
        err:
          `There is no database in ${dataFolder}: "numera serve" creates one. If it is elsewhere, set ` +
          'NUMERA_DATA_FOLDER or DATABASE_URL. Nothing was changed.\n',
      })
    }
    expect(await readdir(folder)).toEqual([])
  },
)

test('a command does not migrate an empty database', async () => {
  await using database = await createTestDatabase({ empty: true })
  const { code, out, err } = await run('company list', at(database))
  expect(err).toMatch(/^The database is empty: "numera serve" or .+\n$/)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  const { rows } = await database.pool.query(
    `select from pg_tables where schemaname in ('directory', 'access', 'shard_1')`,
  )
  expect(rows).toHaveLength(0)
})

test('a command does not migrate a database of an older version', async () => {
  await using database = await createTestDatabase()
  const { rows } = await database.pool.query<{ label: string }>(
    `delete from migrations where number = (select max(number) from migrations)
    returning to_char(number, 'fm000000') || '_' || name as label`,
  )
  const { code, out, err } = await run('company list', at(database))
  expect(err).toBe(
    `The database is of an older version, without shard_1/${rows[0]!.label}: "numera migrate" brings it up to this one. ` +
      'Nothing was changed.\n',
  )
  expect({ code, out }).toEqual({ code: 1, out: '' })
})

test('numera migrate creates the database for later commands', async () => {
  await using database = await createTestDatabase({ empty: true })
  expect((await run('migrate', at(database))).code).toBe(0)
  const company = await run('company add --orgnr 556016-0680 --name Bageriet', at(database))
  expect(company).toMatchObject({ code: 0, err: '' })
})
