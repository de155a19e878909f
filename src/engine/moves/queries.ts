import { escapeLiteral } from 'pg'
import { defineStatement } from '../../platform/database/define-statement.ts'

export interface TableRow {
  name: string
  columns: string[]
  key: string[]
}

/** The tables of a shard that have a company in each row. */
export const readTables = defineStatement<TableRow, { schema: string }>(
  'moves.read-tables',
  `select tables.relname::text as name,
     array(
       select attributes.attname::text from pg_attribute as attributes
       where attributes.attrelid = tables.oid and attributes.attnum > 0 and not attributes.attisdropped
         and attributes.attgenerated = ''
       order by attributes.attnum
     ) as columns,
     array(
       select attributes.attname::text
       from pg_index as indexes
       cross join unnest(indexes.indkey) with ordinality as keys (attnum, place)
       join pg_attribute as attributes on attributes.attrelid = tables.oid and attributes.attnum = keys.attnum
       where indexes.indrelid = tables.oid and indexes.indisprimary
       order by keys.place
     ) as key
   from pg_class as tables
   where tables.relnamespace = $schema::text::regnamespace and tables.relkind in ('r', 'p')
     and exists (
       select from pg_attribute as attributes
       where attributes.attrelid = tables.oid and attributes.attname = 'company_id' and not attributes.attisdropped
     )`,
)

/**
 * The phase of a move that a node sees, and its transactions that may have written to some tables of a shard, or be about to.
 * Citus appends a number to the names of the tables that have the rows. The text has no parameters, since Citus
 * passes on none of a command to every node.
 */
export function selectWriters(companyId: string, schema: string, tables: readonly string[]): string {
  return `select json_build_object(
    'phase', (
      select phase || attempt from directory.company_moves where company_id = ${escapeLiteral(companyId)}
    ),
    'writers', array(
      select distinct locks.virtualtransaction
      from pg_locks as locks
      join pg_class as tables on tables.oid = locks.relation
      where locks.locktype = 'relation' and locks.pid is distinct from pg_backend_pid()
        and locks.database = (select oid from pg_database where datname = current_database())
        and tables.relnamespace = (select oid from pg_namespace where nspname = ${escapeLiteral(schema)})
        and regexp_replace(tables.relname, '_[0-9]+$', '') = any ('{${tables.join()}}')
        and locks.mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock')
    ))::text as result`
}

/** Runs a command on every node of a deployment on Citus. */
export const runOnAllNodes = defineStatement<
  { node: number; success: boolean; result: string },
  { command: string }
>(
  'moves.run-on-all-nodes',
  `select nodeid as node, success, result from run_command_on_all_nodes($command::text)`,
)

/**
 * Until the transaction ends, no other one copies rows of the company into the connection's shard, or deletes what a move
 * has left there. The shard's table makes Citus lock on the node that has the shard, also for a connection to another one.
 */
export const lockCopies = defineStatement<never, { companyId: string }>(
  'moves.lock-copies',
  `select pg_advisory_xact_lock(hashtextextended($companyId::uuid::text, 7862693118)) from receive_numbering limit 1`,
)

export const selectSourceIds = defineStatement<{ source_id: string }, { companyId: string }>(
  'moves.select-source-ids',
  `select source_id from sources where company_id = $companyId::uuid order by source_id`,
)
