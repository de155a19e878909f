import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { definedStatements } from './define-statement.ts'

/** Which schemas each statement touches (`schemas.ts`). */

const schemas = ['directory', 'access', 'shard'] as const

const source = join(import.meta.dirname, '../..')

const tables = new Map<string, (typeof schemas)[number]>()
/** Of each statement: its text, and its tables by schema. */
const statements: { name: string; text: string; touched: Record<(typeof schemas)[number], string[]> }[] = []

beforeAll(async () => {
  for (const schema of schemas) {
    for await (const file of glob(`${schema}/*.sql`, { cwd: join(source, '../migrations') })) {
      const text = await readFile(join(source, '../migrations', file), 'utf8')
      for (const [, table] of text.matchAll(/^create (?:unlogged )?table (\w+)/gm)) tables.set(table!, schema)
    }
  }
  for await (const file of glob('**/{*queries,sealed-*,expiry,pipelined-statements}.ts', { cwd: source }))
    await import(join(source, file))
  for (const [name, text] of definedStatements()) {
    const touched: Record<(typeof schemas)[number], string[]> = { directory: [], access: [], shard: [] }
    for (const [table, schema] of tables) {
      const isNamed = new RegExp(
        String.raw`\b(?:from|join|into|update|lock table) (?:only )?${table}\b`,
      ).test(text)
      if (isNamed) touched[schema].push(table)
    }
    statements.push({ name, text, touched })
  }
})

test('no statement touches both a shard and the schema `access`', () => {
  const wrong = statements
    .filter(({ touched }) => touched.shard.length > 0 && touched.access.length > 0)
    .map(({ name, touched }) => `${name}: ${[...touched.shard, ...touched.access].join(', ')}`)
  expect(wrong).toEqual([])
})

test('a statement that writes the directory touches no other schema', () => {
  const wrong = statements.flatMap(({ name, text, touched }) => {
    const written = touched.directory.filter((table) =>
      new RegExp(String.raw`\b(?:insert into|update|delete from) ${table}\b`).test(text),
    )
    const others = [...touched.access, ...touched.shard]
    return written.length > 0 && others.length > 0 ? [`${name}: ${[...written, ...others].join(', ')}`] : []
  })
  expect(wrong).toEqual([])
})

const joins = (schema: 'access' | 'shard'): number =>
  statements.filter(({ touched }) => touched[schema].length > 0 && touched.directory.length > 0).length

test('statements of every schema join the directory', () => {
  expect(joins('access')).toBeGreaterThan(10)
  expect(joins('shard')).toBeGreaterThan(10)
})
