import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

/**
 * Each table has one room that writes it: its rules stand there. A statement of another room may write it only where
 * two writes have to be one statement, or one row has to carry what every call reads; the reason is given here.
 */
const exceptions: Record<string, string> = {
  'app_connections console/app-connections': 'a member ends on the pages what they allowed at the consent',
  'app_connection_companies console/app-connections':
    'an owner ends on the pages what an app may read of the company',
  'app_connections company/deletions': 'what a person allowed apps ends in the transaction that erases them',
  'apps oauth/token': 'the exchange of a code marks its app as used, in the same statement',
  'authorization_codes oauth/token': 'consuming a code and issuing its tokens are one statement',
  'backlog engine/deliveries': 'a delivery and its place in the backlog are stored by one statement',
  'backlog engine/projections': 'a rebuild enumerates the stored deliveries in the database',
  'companies engine/usage': 'admission reads the limit that was reached from the row of the company',
  'memberships people/members':
    'the first visit of a member, recorded where their role is checked; the last memberships of a company end with it',
  'projections company/sources': 'a source is stored with its first projection, by one statement',
  'projections engine/parsing':
    'a round raises the version of the samples that it writes, in its transaction',
  'sources engine/projections': 'switching to a projection is one statement',
}

const source = join(import.meta.dirname, '../..')
const writes = /\b(?:insert into|update|delete from) (?!set\b|skip\b|of\b)([a-z_]+)\b/g

/** By table: the rooms with statements that write it. */
const writers = new Map<string, Set<string>>()
let tables: string[]

beforeAll(async () => {
  const schema = await readFile(join(source, '../schema.sql'), 'utf8')
  tables = Array.from(schema.matchAll(/^create (?:unlogged )?table (\w+)/gm), ([, table]) => table!)
  for await (const file of glob('**/*queries.ts', { cwd: source })) {
    const room = file.split('/').slice(0, 2).join('/')
    for (const [, table] of (await readFile(join(source, file), 'utf8')).matchAll(writes))
      writers.set(table!, (writers.get(table!) ?? new Set()).add(room))
  }
})

test('each table is written by one room, or the reason is in the table here', () => {
  const shared = tables.flatMap((table) => {
    const rooms = [...(writers.get(table) ?? [])].filter(
      (room) => exceptions[`${table} ${room}`] === undefined,
    )
    return rooms.length > 1 ? [`${table}: ${rooms.join(', ')}`] : []
  })
  expect(shared).toEqual([])
})

test('every exception is needed', () => {
  const needless = Object.keys(exceptions).filter((exception) => {
    const [table, room] = exception.split(' ')
    const rooms = writers.get(table!)
    return rooms === undefined || !rooms.has(room!) || rooms.size === 1
  })
  expect(needless).toEqual([])
})

test('every written name is a table', () => {
  expect([...writers.keys()].filter((table) => !tables.includes(table))).toEqual([])
})
