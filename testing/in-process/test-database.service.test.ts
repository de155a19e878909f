import { expect, test } from 'vitest'
import { createTestDatabase } from './test-database.ts'

test('A test database has all migrations and is its caller’s alone', async () => {
  await using one = await createTestDatabase()
  await using other = await createTestDatabase()
  await one.alter('create table mine (id integer)')
  const { rows } = await other.pool.query(
    `select to_regclass('mine') as mine, (select count(*) > 0 from migrations) as migrated`,
  )
  expect(rows).toEqual([{ mine: null, migrated: true }])
})

test('Text sorts by code point in a test database', async () => {
  await using database = await createTestDatabase()
  const { rows } = await database.pool.query(`select t from unnest(array['b', 'Ä', 'a', 'B']) t order by t`)
  expect(rows.map((row) => row.t)).toEqual(['B', 'a', 'b', 'Ä'])
})
