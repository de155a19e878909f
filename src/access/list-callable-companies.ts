import type { Context } from '../context.ts'
import type { AdmittedCompany } from './admission.ts'
import { readCallableCompanies } from './queries.ts'

/** The companies that the caller's connection acts on now, by organisation number. At most some hundreds. */
export const listCallableCompanies = async (
  context: Pick<Context, 'pool'>,
  connectionId: string,
): Promise<AdmittedCompany[]> => {
  const rows = await readCallableCompanies(context.pool, connectionId)
  return rows.map((row) => ({
    companyId: row.company_id,
    orgnr: row.orgnr,
    name: row.name,
    timeZone: row.time_zone,
  }))
}
