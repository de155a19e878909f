import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { openClient } from '../../platform/database/open-client.ts'
import { sharedSchemas, toShardSchema } from '../../platform/database/schemas.ts'

/** A table of a deployment. */
interface CopiedTable {
  schema: string
  name: string
  /** Tables that its rows refer to, as `schema.name`. */
  refersTo: string[]
  /** Without those that the server computes. */
  columns: string[]
}

export interface CopyResult {
  tables: number
  rows: number
  /** How many of the tables had been copied before. */
  copiedBefore: number
}

/** Why a deployment cannot be copied, in a sentence for the operator. */
export class CopyError extends Error {}

interface Digest {
  rows: string
  digest: string
}

/** What the migrations themselves write. */
const seededTables = new Set(['shards', 'expiry_sweep', 'registration_hour'])

/**
 * What belongs to a schema where it is: its migrations, its processes, how its receive numbers continue, and buckets, which fill
 * again.
 */
const ownTables = ['migrations', 'processes', 'receive_numbering', 'rate_buckets']

function connect(url: string): Promise<Client & AsyncDisposable> {
  return openClient(url, { name: 'numera distribute' })
}

/** In an order in which rows refer to earlier tables only. */
function inOrderOfReference(tables: CopiedTable[]): CopiedTable[] {
  const names = new Set(tables.map(({ schema, name }) => `${schema}.${name}`))
  const placed = new Set<string>()
  const ordered: CopiedTable[] = []
  let left = tables
  while (left.length > 0) {
    const isNext = ({ refersTo }: CopiedTable): boolean =>
      refersTo.every((name) => placed.has(name) || !names.has(name))
    const next = left.filter(isNext)
    if (next.length === 0) throw new Error('tables refer to each other')
    ordered.push(...next)
    for (const { schema, name } of next) placed.add(`${schema}.${name}`)
    left = left.filter((table) => !next.includes(table))
  }
  return ordered
}

/** All tables but those that belong to the schema itself. */
async function readTables(client: Client, shards: readonly number[]): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `select pg_namespace.nspname::text as schema, tables.relname::text as name,
       array(
         select attname::text from pg_attribute
         where attrelid = tables.oid and attnum > 0 and not attisdropped and attgenerated = ''
         order by attnum
       ) as columns,
       array(
         select referenced_schema.nspname || '.' || referenced.relname
         from pg_constraint
         join pg_class as referenced on referenced.oid = confrelid
         join pg_namespace as referenced_schema on referenced_schema.oid = referenced.relnamespace
         where conrelid = tables.oid and contype = 'f' and confrelid <> conrelid
       ) as "refersTo"
     from unnest($1::text[]) with ordinality as schemas (name, place)
     join pg_namespace on pg_namespace.nspname = schemas.name
     join pg_class as tables on tables.relnamespace = pg_namespace.oid and tables.relkind = 'r'
     where tables.relname <> all ($2::text[])
     order by schemas.place, tables.relname`,
    [[...sharedSchemas, ...shards.map(toShardSchema)], ownTables],
  )
  return inOrderOfReference(rows)
}

/** The number of rows, and the sum of their hashes, which does not depend on their order. */
async function readDigest(client: Client, { schema, name, columns }: CopiedTable): Promise<Digest> {
  const { rows } = await client.query<Digest>(
    `select count(*) as rows, coalesce(sum(hash_record_extended(row(${columns.join(', ')}), 0)::numeric), 0)::text as digest
     from ${schema}.${name}`,
  )
  return rows[0]!
}

function isSame(one: Digest, other: Digest): boolean {
  return one.rows === other.rows && one.digest === other.digest
}

async function hasCompanies(client: Client): Promise<boolean> {
  const { rows } = await client.query('select from directory.companies limit 1')
  return rows.length > 0
}

/** Copies one table in a transaction of its own, unless it was copied before. */
async function copyTable(
  from: Client,
  to: Client,
  table: CopiedTable,
): Promise<{ rows: number; wasCopied: boolean }> {
  const { schema, name, columns } = table
  const [before, present] = await Promise.all([readDigest(from, table), readDigest(to, table)])
  if (isSame(before, present)) return { rows: Number(before.rows), wasCopied: before.rows !== '0' }
  const isSeeded = seededTables.has(name) && !(await hasCompanies(to))
  if (present.rows !== '0' && !isSeeded) {
    throw new CopyError(
      `${schema}.${name} has ${present.rows} rows there that are not those of this deployment: give an empty ` +
        'database. Its rows were not changed.',
    )
  }
  const list = columns.join(', ')
  try {
    await to.query('begin')
    if (isSeeded) await to.query(`delete from ${schema}.${name}`)
    await pipeline(
      from.query(copyTo(`copy (select ${list} from ${schema}.${name}) to stdout (format binary)`)),
      to.query(copyFrom(`copy ${schema}.${name} (${list}) from stdin (format binary)`)),
    )
    const copied = await readDigest(to, table)
    if (!isSame(before, copied)) {
      throw new CopyError(`Of ${schema}.${name}, ${copied.rows} rows arrived instead of ${before.rows}.`)
    }
    await to.query('commit')
  } catch (error) {
    await to.query('rollback').catch(() => {})
    throw error
  }
  return { rows: Number(before.rows), wasCopied: false }
}

/** The services that use a database, by the names of their connections. Commands and this one are not among them. */
export async function findServices(url: string): Promise<string[]> {
  await using client = await connect(url)
  const { rows: views } = await client.query(`select from pg_class where relname = 'citus_stat_activity'`)
  // On Citus, of all nodes: services connect to those that have the shards.
  const activity = views.length > 0 ? 'citus_stat_activity' : 'pg_stat_activity'
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from ${activity}
     where datname = current_database() and application_name ~ '^numera (serve|work|move)' order by name`,
  )
  return rows.map(({ name }) => name)
}

/** The tables of a deployment with their numbers of rows. */
export async function countRows(
  url: string,
  shards: readonly number[],
): Promise<{ table: string; rows: number }[]> {
  await using client = await connect(url)
  const counted = []
  for (const { schema, name } of await readTables(client, shards)) {
    const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${schema}.${name}`)
    counted.push({ table: `${schema}.${name}`, rows: Number(rows[0]!.rows) })
  }
  return counted
}

/**
 * Copies a deployment into another database, which has its schemas and no rows: table by table, each compared with what
 * it was copied from before it is committed. A call that was interrupted is resumed by the next one. No other process may
 * write to either meanwhile.
 *
 * @throws CopyError if the other database has rows of its own, or a table does not arrive whole
 */
export async function copyDatabase(
  urls: { from: string; to: string },
  shards: readonly number[],
  onTable: (name: string) => void = () => {},
): Promise<CopyResult> {
  await using from = await connect(urls.from)
  await using to = await connect(urls.to)
  await from.query('begin isolation level repeatable read read only')
  const result: CopyResult = { tables: 0, rows: 0, copiedBefore: 0 }
  for (const table of await readTables(from, shards)) {
    onTable(`${table.schema}.${table.name}`)
    const { rows, wasCopied } = await copyTable(from, to, table)
    result.tables++
    result.rows += rows
    if (wasCopied) result.copiedBefore++
  }
  // The first call that stores something gives numbers above those that are there (`receive-numbers.ts`).
  for (const shard of shards)
    await to.query(`update ${toShardSchema(shard)}.receive_numbering set node_range = -1`)
  return result
}
