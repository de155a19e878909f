import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { definedStatements } from './define-statement.ts'

/**
 * Which schemas each statement touches. On many machines a shard is whole on one node, and of the directory every node
 * has a copy: a statement may join the two. The directory's tables listed here are too large or too often written to be
 * copied: a statement of a shard may not touch them.
 */
const notCopied = new Set([
  'app_calls',
  'app_tokens',
  'audit_events',
  'authorization_codes',
  'bankid_orders',
  'demo_identity_orders',
  'identity_orders',
  'openid_connect_orders',
  'rate_buckets',
  'registration_hour',
  'sessions',
  'source_companies',
  'tokens',
  'used_logout_tokens',
])

const source = join(import.meta.dirname, '../..')

async function readTables(schema: 'directory' | 'shard'): Promise<string[]> {
  const tables: string[] = []
  for await (const file of glob(`${schema}/*.sql`, { cwd: join(source, '../migrations') })) {
    const text = await readFile(join(source, '../migrations', file), 'utf8')
    for (const [, table] of text.matchAll(/^create (?:unlogged )?table (\w+)/gm)) tables.push(table!)
  }
  return tables
}

interface Touched {
  name: string
  directory: string[]
  shard: string[]
}

const statements: Touched[] = []
let directory: string[]
let shard: string[]
beforeAll(async () => {
  directory = await readTables('directory')
  shard = await readTables('shard')
  for await (const file of glob('**/{*queries,sealed-*,expiry,pipelined-statements}.ts', { cwd: source }))
    await import(join(source, file))
  for (const [name, text] of definedStatements()) {
    const touches = (table: string): boolean =>
      new RegExp(String.raw`\b(?:from|join|into|update|lock table) (?:only )?(?:directory\.)?${table}\b`).test(text)
    statements.push({ name, directory: directory.filter(touches), shard: shard.filter(touches) })
  }
})

test('every table is in the directory or in each shard, under a name of its own', () => {
  expect(new Set([...directory, ...shard]).size).toBe(directory.length + shard.length)
  expect([...notCopied].filter((table) => !directory.includes(table))).toEqual([])
})

test('a statement of a shard joins only tables of the directory that every node has', () => {
  const both = statements.filter((statement) => statement.shard.length > 0 && statement.directory.length > 0)
  expect(both.length).toBeGreaterThan(10)
  const wrong = both.flatMap(({ name, directory: joined }) =>
    joined.filter((table) => notCopied.has(table)).map((table) => `${name}: ${table}`),
  )
  expect(wrong).toEqual([])
})

test('a statement of a shard writes no table of the directory', async () => {
  const writes = (text: string, table: string): boolean =>
    new RegExp(String.raw`\b(?:insert into|update|delete from) ${table}\b(?! of)`).test(text)
  const wrong = statements
    .filter((statement) => statement.shard.length > 0)
    .flatMap(({ name, directory: joined }) =>
      joined
        .filter((table) => writes(definedStatements().get(name)!, table))
        .map((table) => `${name}: ${table}`),
    )
  expect(wrong).toEqual([])
})
