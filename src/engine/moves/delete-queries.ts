import { defineStatement } from '../../platform/database/define-statement.ts'
import { movedStages, type MovedTableName } from './moved-tables.ts'

/** What waits to be parsed goes first, since it is counted; then rows before those that they refer to. */
const names = (Object.keys(movedStages) as MovedTableName[]).toReversed()

/** Delete at most `$rowsMax` rows of a company each, table by table. */
export const deleteOfCompany = names.map((table) => ({
  table,
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
