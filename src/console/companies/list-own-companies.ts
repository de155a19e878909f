import type { Context } from '../../context.ts'
import type { Role } from '../../people/access/role.ts'
import type { Company } from '../../people/companies/company.ts'
import { listCompaniesOfMember } from '../../people/companies/list-companies.ts'
import { freshCompaniesMax, freshSourcesMax, selectFreshness } from './queries.ts'

interface OwnCompany extends Company {
  role: Role
  /** Sources that have been silent for longer than usual; null if that was not checked. */
  lateSources: number | null
  /** Of its production deliveries; null if there is none, or it was not checked. */
  lastReceivedAt: Date | null
}

/**
 * The companies of which a person is a member now, by name, and whether their systems still send. That is checked for the
 * first 100 companies, as far as they have 1,000 sources together.
 */
export async function listOwnCompanies(
  context: Pick<Context, 'pool' | 'clock'>,
  memberId: string,
): Promise<OwnCompany[]> {
  const companies = await listCompaniesOfMember(context, memberId)
  const first = companies.slice(0, freshCompaniesMax)
  const rows = await selectFreshness.rows(context.pool, {
    companyIds: first.map(({ companyId }) => companyId),
    at: new Date(context.clock.now()),
  })
  const found = new Map(rows.map((row) => [row.company_id, row]))
  // If the sources were cut off, the last company may have more of them, and those after it were not reached.
  const isCut = rows.reduce((sources, row) => sources + row.sources, 0) >= freshSourcesMax
  const cutAt = isCut ? rows.at(-1)!.company_id : undefined
  const reached = cutAt === undefined ? first.length : first.findIndex(({ companyId }) => companyId === cutAt)
  return companies.map((company, place) => {
    const row = place < reached ? found.get(company.companyId) : undefined
    return {
      ...company,
      lateSources: place < reached ? (row?.late ?? 0) : null,
      lastReceivedAt: row?.last_received_at ?? null,
    }
  })
}
