import type { PoolClient } from 'pg'
import { updateFiscalYear } from './queries.ts'

/** Sets the month, from 1 to 12, with which the fiscal year begins: who may do that is for its caller to check. */
export async function setFiscalYear(client: PoolClient, companyId: string, month: number): Promise<void> {
  await updateFiscalYear.run(client, { companyId, month })
}
