import type { DirectoryContext } from '../../context.ts'
import type { Admission, AdmittedCompany } from './admission.ts'
import { appMay } from './app-permissions.ts'
import { readCallableCompanies, readCoveredCompanies } from './queries.ts'

/** The companies that the caller acts on now, by organisation number. A few hundred at most. */
export async function listCallableCompanies(
  { pool }: Pick<DirectoryContext, 'pool'>,
  { kind, connectionId }: Pick<Admission, 'kind' | 'connectionId'>,
): Promise<Omit<AdmittedCompany, 'shard'>[]> {
  const rows =
    kind === 'delegated'
      ? (await readCoveredCompanies.rows(pool, { connectionId })).filter(({ role }) =>
          appMay('company.read', role),
        )
      : await readCallableCompanies.rows(pool, { connectionId })
  return rows.map(({ company_id: companyId, orgnr, name, time_zone: timeZone }) => ({
    companyId,
    orgnr,
    name,
    timeZone,
  }))
}
