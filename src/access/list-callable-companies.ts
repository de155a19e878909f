import type { Context } from '../service/context.ts'
import type { Admission, AdmittedCompany } from './admission.ts'
import { readCoveredCompanies } from './app-queries.ts'
import { readCallableCompanies, type CallableCompanyRow } from './queries.ts'
import { appMay } from './role-permissions.ts'

async function readCompanies(
  context: Pick<Context, 'pool'>,
  { kind, connectionId }: Pick<Admission, 'kind' | 'connectionId'>,
): Promise<CallableCompanyRow[]> {
  if (kind !== 'delegated') return readCallableCompanies.rows(context.pool, { connectionId })
  const covered = await readCoveredCompanies.rows(context.pool, { connectionId })
  return covered.filter((company) => appMay('company.read', company.role))
}

/** The companies that the caller acts on now, by organisation number. A few hundred at most. */
export async function listCallableCompanies(
  context: Pick<Context, 'pool'>,
  caller: Pick<Admission, 'kind' | 'connectionId'>,
): Promise<AdmittedCompany[]> {
  const rows = await readCompanies(context, caller)
  return rows.map((row) => ({
    companyId: row.company_id,
    orgnr: row.orgnr,
    name: row.name,
    timeZone: row.time_zone,
  }))
}
