import type { Context } from '../service/context.ts'
import type { Role } from '../access/role.ts'
import type { Company } from './company.ts'
import { listCompaniesOfMember } from './list-companies.ts'
import { freshCompaniesMax, freshSourcesMax, selectFreshness } from './queries.ts'

export interface CompanyWithFreshness extends Company {
  role: Role
  /** Sources that have sent nothing for longer than they usually do; null where that was not looked at. */
  lateSources: number | null
  /** Of its production deliveries; null where there is none, or it was not looked at. */
  lastReceivedAt: Date | null
}

/**
 * The companies that a person is a member of now, by name, and whether their systems still send. It is looked at for the
 * first 100 companies, as far as they have 1,000 sources together.
 */
export async function listCompaniesWithFreshness(
  context: Pick<Context, 'pool' | 'clock'>,
  memberId: string,
): Promise<CompanyWithFreshness[]> {
  const companies = await listCompaniesOfMember(context, memberId)
  const looked = companies.slice(0, freshCompaniesMax)
  const rows = await selectFreshness.rows(context.pool, {
    companyIds: looked.map(({ companyId }) => companyId),
    at: new Date(context.clock.now()),
  })
  const found = new Map(rows.map((row) => [row.company_id, row]))
  // Where the sources came to an end, the last company may have more of them, and those after it were not reached.
  const isCut = rows.reduce((sources, row) => sources + row.sources, 0) >= freshSourcesMax
  const cutAt = isCut ? rows.at(-1)!.company_id : undefined
  const reached = cutAt === undefined ? looked.length : looked.findIndex((each) => each.companyId === cutAt)
  return companies.map((company, place) => {
    const row = place < reached ? found.get(company.companyId) : undefined
    return {
      ...company,
      lateSources: place < reached ? (row?.late ?? 0) : null,
      lastReceivedAt: row?.last_received_at ?? null,
    }
  })
}
