import { escapeLiteral } from 'pg'
import type { MovedTable } from './moved-tables.ts'

/** Some rows of a company in a table. */
export interface RowRange {
  table: MovedTable
  companyId: string
  /** Receive numbers greater than the first and up to the second. */
  numbers?: { after: bigint; upTo: bigint }
  /** Keys (`MovedTable.key`, as texts) greater than the first, up to the second. */
  keys?: { after?: readonly string[] | undefined; upTo?: readonly string[] | undefined }
  /** All sources of the company, by which an index finds the numbers of deliveries. */
  sourceIds?: readonly string[]
}

function compareKeys({ key }: MovedTable, operator: '>' | '<=', values: readonly string[]): string {
  return `(${key.join(', ')}) ${operator} (${values.map((value) => escapeLiteral(value)).join(', ')})`
}

/** SQL; `copy` takes no parameters. */
function toCondition({ table, companyId, numbers, keys, sourceIds }: RowRange): string {
  const conditions = [`company_id = ${escapeLiteral(companyId)}`]
  // Every index of the backlog that fits begins with the queue.
  if (table.name === 'backlog') conditions.push(`queue = any ('{0,1,2,3,4}')`)
  if (numbers !== undefined)
    conditions.push(`receive_number > ${numbers.after} and receive_number <= ${numbers.upTo}`)
  if (table.name === 'deliveries' && sourceIds !== undefined)
    conditions.push(`source_id = any ('{${sourceIds.join()}}') and sandbox = any ('{t,f}')`)
  if (keys?.after !== undefined) conditions.push(compareKeys(table, '>', keys.after))
  if (keys?.upTo !== undefined) conditions.push(compareKeys(table, '<=', keys.upTo))
  return conditions.join(' and ')
}

export function copyOut(range: RowRange): string {
  const { name, columns } = range.table
  return `copy (select ${columns.join(', ')} from ${name} where ${toCondition(range)}) to stdout (format binary)`
}

export function copyIn({ name, columns }: MovedTable): string {
  return `copy ${name} (${columns.join(', ')}) from stdin (format binary)`
}

/** How many rows, and the sum of their hashes, which does not depend on their order. */
export function selectDigest(range: RowRange): string {
  const { name, columns } = range.table
  return `select ${escapeLiteral(name)} as table_name, count(*) as rows,
    coalesce(sum(hash_record_extended(row(${columns.join(', ')}), 0)::numeric), 0)::text as digest
    from ${name} where ${toCondition(range)}`
}

export function selectCount(range: RowRange): string {
  return `select ${escapeLiteral(range.table.name)} as table_name, count(*) as rows, '' as digest
    from ${range.table.name} where ${toCondition(range)}`
}

/** The key of the row `rows` after the beginning of the range; no row if it has fewer. */
export function selectKeyAfter(range: RowRange, rows: number): string {
  const { name, key } = range.table
  return `select array[${key.map((column) => `${column}::text`).join(', ')}] as key
    from ${name} where ${toCondition(range)}
    order by ${key.map((column) => `${name}.${column}`).join(', ')} offset ${rows - 1} limit 1`
}
