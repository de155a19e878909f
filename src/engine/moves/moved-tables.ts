import type { Queryable } from '../../platform/database/pool.ts'
import { toShardSchema } from '../../platform/database/schemas.ts'
import { readTables, type TableRow } from './queries.ts'

/**
 * When the rows of a table are copied:
 *
 * - `appended`: from the start, while they are being added to. They are never changed, and a number drawn in order says which
 *   are new.
 * - `queued`: the same, but only once nothing is parsed.
 * - `parsed`: once nothing is parsed, since only parsing and the maintenance of projections write them.
 * - `held`: in one go, while the company is held: few rows that are written at any time.
 */
export type MovedStage = 'appended' | 'queued' | 'parsed' | 'held'

/** The tables of a shard with what they have of a company, in an order in which rows refer to earlier ones only. */
export const movedStages = {
  sources: 'held',
  shapes: 'held',
  webhook_secrets: 'held',
  projections: 'held',
  deliveries: 'appended',
  webhook_ids: 'appended',
  parse_results: 'parsed',
  contributions: 'parsed',
  samples: 'parsed',
  distinct_values: 'parsed',
  period_deliveries: 'parsed',
  period_owners: 'parsed',
  company_usage: 'held',
  refused_calls: 'held',
  notes: 'held',
  targets: 'held',
  label_names: 'held',
  backlog: 'queued',
} as const satisfies Record<string, MovedStage>

export type MovedTableName = keyof typeof movedStages

export interface MovedTable {
  name: MovedTableName
  stage: MovedStage
  /** Without those that the server computes. */
  columns: readonly string[]
  /** The primary key after `company_id`. */
  key: readonly string[]
}

function toMovedTable({ name, columns, key }: TableRow): MovedTable {
  if (!Object.hasOwn(movedStages, name)) throw new Error(`how ${name} is copied is not in moved-tables.ts`)
  const known = name as MovedTableName
  return {
    name: known,
    stage: movedStages[known],
    columns,
    key: key.filter((column) => column !== 'company_id'),
  }
}

/**
 * The tables of a shard, as its catalogue has them, in order.
 *
 * @throws Error for a table with companies that `movedStages` does not name
 */
export async function readMovedTables(on: Queryable, shard: number): Promise<MovedTable[]> {
  const found = (await readTables.rows(on, { schema: toShardSchema(shard) })).map(toMovedTable)
  const order = Object.keys(movedStages)
  return found.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
}
