import { defineStatement } from '../../platform/database/define-statement.ts'
import { movedStages, type MovedTableName } from './moved-tables.ts'

/** What waits to be parsed goes first, since it is counted; then rows before those that they refer to. */
const names = (Object.keys(movedStages) as MovedTableName[]).toReversed()

/** Rows that one transaction deletes; those with a content, which may be large, are fewer. */
const rowsMax = 10_000
const deliveriesMax = 500

/** Delete at most `$rowsMax` rows of a company each, table by table. */
export const deleteOfCompany = names.map((table) => ({
  table,
  rowsMax: table === 'deliveries' ? deliveriesMax : rowsMax,
  statement: defineStatement<never, { companyId: string; rowsMax: number }>(
    `moves.delete-${table.replaceAll('_', '-')}`,
    `delete from ${table}
     where ctid = any (array(
       select ctid from ${table} where ${table === 'backlog' ? `queue = any ('{0,1,2,3,4}')` : 'true'}
         and company_id = $companyId::uuid
       limit $rowsMax::integer
     ))`,
  ),
}))
