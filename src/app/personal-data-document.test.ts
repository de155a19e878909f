import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('docs/guides/personal-data.md says of every table of the database what it keeps, and of no other', async () => {
  const page = await readFile(join(root, 'docs/guides/personal-data.md'), 'utf8')
  const schema = await readFile(join(root, 'schema.sql'), 'utf8')
  const [, from = ''] = page.split('\n## Table by table\n')
  const rows = [...from.split('\n## ')[0]!.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!)
  const named = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, table]) => table!))
  const tables = Array.from(schema.matchAll(/^create (?:unlogged )?table (\w+)/gm), ([, table]) => table!)
  // Each schema has a table of its migrations.
  expect(named.toSorted()).toEqual([...new Set(tables)].toSorted())
})
