import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { definedStatements } from './define-statement.ts'
import { selectsFromTable } from './schemas.ts'

/** What Citus refuses, or does at a price, in statements that write (docs/decisions/shards.md, "Statements on Citus"). */

let statements: [name: string, text: string][]

beforeAll(async () => {
  const cwd = join(import.meta.dirname, '../..')
  for await (const file of glob('**/{*queries,sealed-*,expiry}.ts', { cwd })) await import(join(cwd, file))
  // Those with the backlog are for a plain PostgreSQL.
  statements = [...definedStatements()].filter(([name]) => !name.endsWith('-and-queue'))
})

const namesOf = (isWrong: (text: string) => boolean): string[] =>
  statements.flatMap(([name, text]) => (isWrong(text) ? [name] : []))
const writes = (text: string): boolean =>
  /\b(insert into|update \w+|delete from)\b/.test(text.replaceAll(/for (no key )?update/g, ''))

test('no statement that writes calls a volatile function', () => {
  const volatile = /\b(clock_timestamp|timeofday|random|gen_random_uuid|nextval|pg_\w+_lock\w*)\(/
  expect(namesOf((text) => writes(text) && volatile.test(text))).toEqual([])
})

test('no statement that writes is recursive', () => {
  expect(namesOf((text) => writes(text) && /with recursive/.test(text))).toEqual([])
})

const selects = (text: string): boolean =>
  text.includes(selectsFromTable) || /\b(from|join) (?!unnest)[a-z]\w*\b/.test(text)

test('an insert of what was passed selects from a table too', () => {
  const inserts = statements.filter(([, text]) => /^\s*insert into/.test(text) && /from unnest\(/.test(text))
  expect(inserts.length).toBeGreaterThan(10)
  expect(inserts.filter(([, text]) => !selects(text)).map(([name]) => name)).toEqual([])
})
