import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrialDatabase } from '../deployment/database.ts'

/** So that `observeStatements` can read what the server logs. */
export const observedSettings = {
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'trial',
  log_line_prefix: '%a|',
  // Parameters may contain a sender's data.
  log_parameter_max_length: 0,
  log_parameter_max_length_on_error: 0,
}

export interface SchemaSize {
  kind: string
  tableBytes: number
  indexBytes: number
  tables: number
}

/** Bytes and tables of the shared schemas, and of all shards together. */
export async function readSizes(database: TrialDatabase): Promise<SchemaSize[]> {
  const rows = await database.query<{
    kind: string
    table_bytes: string
    index_bytes: string
    tables: string
  }>(
    `select regexp_replace(schemaname, '_[0-9]+$', 's') as kind,
       sum(pg_table_size(format('%I.%I', schemaname, tablename)::regclass)) as table_bytes,
       sum(pg_indexes_size(format('%I.%I', schemaname, tablename)::regclass)) as index_bytes, count(*) as tables
     from pg_tables
     where schemaname in ('directory', 'access') or schemaname like 'shard\\_%'
     group by 1 order by 1`,
  )
  return rows.map((row) => ({
    kind: row.kind,
    tableBytes: Number(row.table_bytes),
    indexBytes: Number(row.index_bytes),
    tables: Number(row.tables),
  }))
}

/** The connections of the deployment's processes, by the purpose that each names. */
export async function countConnections(database: TrialDatabase): Promise<Map<string, number>> {
  const rows = await database.query<{ purpose: string; connections: string }>(
    `select application_name as purpose, count(*) as connections
     from pg_stat_activity where application_name like 'numera%' group by 1`,
  )
  return new Map(rows.map(({ purpose, connections }) => [purpose, Number(connections)]))
}

/** What is still to be parsed in all shards, and since when the oldest of it waits. */
export async function readBacklog(
  database: TrialDatabase,
  shards: number,
): Promise<{ deliveries: number; ageSeconds: number }> {
  const each = Array.from(
    { length: shards },
    (_, index) => `select queued_at from shard_${index + 1}.backlog`,
  )
  const [row] = await database.query<{ deliveries: string; age: number | null }>(
    `select count(*) as deliveries, extract(epoch from clock_timestamp() - min(queued_at))::float8 as age
     from (${each.join(' union all ')}) as waiting`,
  )
  return { deliveries: Number(row!.deliveries), ageSeconds: row!.age ?? 0 }
}

export interface StatementCost {
  statements: number
  ms: number
}

/** What the server is asked to do, and for how long it is at it, by the purpose of its connections, until `work` ends. */
export async function observeStatements(
  database: TrialDatabase,
  work: () => Promise<void>,
): Promise<Map<string, StatementCost>> {
  const setMs = async (ms: number): Promise<void> => {
    await database.query(`alter system set log_min_duration_statement = ${ms}`)
    await database.query('select pg_reload_conf()')
  }
  const folder = join(database.folder, 'data/log')
  const readLog = async (): Promise<string> => {
    const names = await readdir(folder)
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    return texts.join('')
  }
  const before = (await readLog()).length
  await setMs(0)
  await work()
  await setMs(-1)
  const found = new Map<string, StatementCost>()
  const lines = (await readLog())
    .slice(before)
    .matchAll(/^(numera [^|]*)[|]LOG: +duration: ([\d.]+) ms +(\w+)/gm)
  for (const [, purpose, ms, phase] of lines) {
    const figures = found.get(purpose!) ?? { statements: 0, ms: 0 }
    // A prepared statement has a line for being parsed, one for its parameters, and one for running.
    const isRun = phase === 'execute' || phase === 'statement'
    found.set(purpose!, { statements: figures.statements + (isRun ? 1 : 0), ms: figures.ms + Number(ms) })
  }
  return found
}
