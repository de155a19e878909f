import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definedStatements } from './define-statement.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'

/**
 * Statements whose text does not show a bound on their rows, with the reason why there is one. A text shows it by a
 * `limit`, a row per element of an array parameter, an aggregate, or a row by its unique key.
 */
const reasons: Record<string, string> = {
  'access.look-up-apps': 'a row for each requested group of calls',
  'access.look-up-connections': 'a row for each requested group of calls',
  'companies.insert': 'one company',
  'deliveries.lock-numbering': 'a table of one row',
  'deliveries.select-last-number': 'an aggregate',
  'identity.cancel-bankid-order': 'one order, by its key',
  'memberships.select-is-last-owner': 'an aggregate',
  'backup.select-archiver': 'one row',
  'backup.select-proven-time': 'a table of one row',
  'sessions.delete-of-member': 'one session, by its id',
  'sessions.delete-of-sid': 'the sessions of one sign-in at a provider',
  'sessions.delete-of-sub': 'the sessions of one person, of twelve hours at most',
  'sessions.delete-unnamed-of-sub': 'the sessions of one person, of twelve hours at most',
  'service.read-applied-migrations': 'one for each shared schema',
  'service.read-applied-of-shard': 'one row',
  'service.lock-time-proof': 'a table of one row',
  'keys.delete-master-keys-but': 'master keys in use: two at most',
  'keys.select-deployment-keys': 'one for each purpose: two',
  'keys.select-master-keys': 'master keys in use, and those that were: one more for each change of the key',
  'oauth.insert-token': 'of one credential, which is unique',
  'oauth.select-failed-code': 'one attempt',
  'oauth.select-failed-refresh': 'one attempt',
  'consent.lock-granted-access': 'of an app and a member, of which one has not ended',
  'oauth.select-token-switch': 'by its key',
  'oauth.select-token-to-revoke': 'one token, by its key',
  'oauth.exchange-code': 'one code, by its key',
  'oauth.exchange-refresh-tokens': 'a row for each requested token',
  'consent.select-granted-access': 'of an app and a member, of which one has not ended',
  'moves.read-tables': 'the tables of a shard',
  'moves.select-source-ids': 'for each source of a company, which has as many as it may',
  'moves.run-on-all-nodes': 'for each node',
  'parsing.claim-backlog': 'the claimed rows have a limit',
  'parsing.claim-first': 'the claimed rows have a limit',
  'parsing.lock-backlog': 'the claimed rows have a limit',
  'parsing.claim-marked': 'at most one for each key that was passed',
  'projections.insert': 'one projection',
  'projections.read-unfinished': 'as many companies as are passed, and projections of each',
  'projections.read-retired': 'as many companies as are passed, and projections of each',
  'parsing.finish-round': 'at most one for each projection that was passed',
  'projections.lock':
    'the projections of one source that are not retired: the current one, one that is built, trial rebuilds',
  'projections.read-sources-to-compare': 'for the command line; a row of four ids for each source',
  'reports.count-added-values': 'at most one for each number that was passed',
  'samples.count-first-values': 'at most one for each number that was passed',
  'sources.select-days':
    'a day for each of the newest deliveries that are counted, of which there are at most $deliveriesMax',
  'sources.select-names': 'for each source of a company, which has as many as it may',
  'sources.select-current-signing-secret': 'of a source, which has one without an end',
  'usage.count-waiting': 'the companies that wait for something, or did',
  'standbys.describe-server': 'the connected database',
  'usage.sum': 'an aggregate',
  'usage.select-stored-bytes': 'for the command line; two numbers for each company of a shard',
  'usage.select-reached':
    'the companies that have just reached a limit or stay below it again: an id and a word each',
}

let database: TestDatabase
/** By table: the columns of each unique index without a condition. */
const uniqueKeys = new Map<string, string[][]>()
beforeAll(async () => {
  for await (const file of glob('**/{*queries,sealed-*,expiry}.ts', {
    cwd: join(import.meta.dirname, '../..'),
  })) {
    await import(join(import.meta.dirname, '../..', file))
  }
  database = await createTestDatabase()
  const { rows } = await database.pool.query<{ table: string; columns: string[] }>(
    `select c.relname as table, array(
       select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any (i.indkey)
     ) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
     where i.indisunique and i.indpred is null and n.nspname in ('directory', 'access', 'shard_1')`,
  )
  for (const { table, columns } of rows) uniqueKeys.set(table, [...(uniqueKeys.get(table) ?? []), columns])
})
afterAll(() => database[Symbol.asyncDispose]())

/** Without comments and without the contents of parentheses. */
const topLevel = (text: string): string => {
  let depth = 0
  let top = ''
  for (const character of text.replaceAll(/--.*$/gm, '')) {
    if (character === ')') depth--
    if (depth === 0) top += character
    if (character === '(') depth++
  }
  return top.replaceAll(/\s+/g, ' ').trim()
}

/** The part after its `with` queries. */
const mainPart = (top: string): string =>
  top.startsWith('with ') ? (/\) (select|insert|update|delete)\b.*$/.exec(top)?.[0].slice(2) ?? top) : top

const isByUniqueKey = (main: string): boolean => {
  const [, table, alias] = /(?:\bfrom|^update) (\w+)(?: (?:as )?(\w+))?/.exec(main) ?? []
  if (table === undefined) return false
  const equal = new Set(
    [...main.matchAll(/(?:\b(\w+)\.)?\b(\w+) = \$\w/g)]
      .filter(([, named]) => named === undefined || named === alias || named === table)
      .map(([, , column]) => column),
  )
  return (uniqueKeys.get(table) ?? []).some((columns) => columns.every((column) => equal.has(column)))
}

/** The service's own statements: those of tests, which this process may have run, are named `test.`. */
const serviceStatements = (): Map<string, string> =>
  new Map([...definedStatements()].filter(([name]) => !name.startsWith('test.')))

const shownBound = (text: string): string | undefined => {
  const main = mainPart(topLevel(text))
  const isWritten = /^(insert|update|delete)\b/.test(main)
  if (isWritten && !/\breturning\b/.test(main)) return 'no rows'
  if (/ limit /.test(main)) return 'limit'
  if (/^insert\b.* values /.test(main)) return 'one row written'
  if (/ from unnest\(/.test(main)) return 'a row for each that was passed'
  if (!/ from /.test(main)) return 'one row'
  const [, selected = ''] = /^select (.*?) from /.exec(main) ?? []
  // One row, or one for each group of an array's elements.
  if (/\b(count|sum|min|max|bool_or|string_agg)\(/.test(selected) && !/ group by /.test(main)) {
    return 'an aggregate'
  }
  return isByUniqueKey(main) ? 'by its key' : undefined
}

test('every statement has a bound on the rows that it gives, or a reason in the table here', () => {
  const statements = serviceStatements()
  expect(statements.size).toBeGreaterThan(100)
  const unbounded = [...statements]
    .filter(([name, text]) => shownBound(text) === undefined && reasons[name] === undefined)
    .map(([name]) => name)
  expect(unbounded).toEqual([])
})

test('the table has no line that is not needed', () => {
  const statements = serviceStatements()
  const needless = Object.keys(reasons).filter((name) => {
    const text = statements.get(name)
    return text === undefined || shownBound(text) !== undefined
  })
  expect(needless).toEqual([])
})
