import type { Pool } from 'pg'
import type { DirectoryContext } from '../../context.ts'
import type { Role } from '../../people/access/role.ts'
import type { Company } from '../../people/companies/company.ts'
import { listCompaniesOfMember } from '../../people/companies/list-companies.ts'
import { isDatabaseUnavailable } from '../../platform/database/is-database-unavailable.ts'
import { freshCompaniesMax, freshSourcesMax, selectFreshness } from './queries.ts'

interface OwnCompany extends Company {
  role: Role
  /** Sources that have been silent for longer than usual; null if that was not checked. */
  lateSources: number | null
  /** Of its production deliveries; null if there is none, or it was not checked. */
  lastReceivedAt: Date | null
}

type CheckedSources = Pick<OwnCompany, 'lateSources' | 'lastReceivedAt'>

/** By company of one shard, as far as they have 1,000 sources together. */
async function checkSources(
  pool: Pool,
  companies: readonly Company[],
  atMs: number,
): Promise<Map<string, CheckedSources>> {
  const rows = await selectFreshness.rows(pool, {
    companyIds: companies.map(({ companyId }) => companyId),
    at: new Date(atMs),
  })
  const found = new Map(rows.map((row) => [row.company_id, row]))
  // If the sources were cut off, the last company may have more of them, and those after it were not reached.
  const isCut = rows.reduce((sources, row) => sources + row.sources, 0) >= freshSourcesMax
  const cutAt = companies.findIndex(({ companyId }) => companyId === rows.at(-1)?.company_id)
  return new Map(
    companies.slice(0, isCut ? cutAt : undefined).map(({ companyId }) => {
      const row = found.get(companyId)
      return [companyId, { lateSources: row?.late ?? 0, lastReceivedAt: row?.last_received_at ?? null }]
    }),
  )
}

/**
 * The companies of which a person is a member now, by name, and whether their systems still send. That is checked for the
 * first 100 companies, as far as those of a shard have 1,000 sources together, and not for those of a shard that is
 * unavailable.
 */
export async function listOwnCompanies(
  context: Pick<DirectoryContext, 'pool' | 'shards' | 'clock'>,
  memberId: string,
): Promise<OwnCompany[]> {
  const companies = await listCompaniesOfMember(context, memberId)
  const byShard = Map.groupBy(companies.slice(0, freshCompaniesMax), ({ shard }) => shard)
  const checks = Array.from(byShard, async ([shard, of]) => {
    try {
      return await checkSources(context.shards.get(shard).pool, of, context.clock.now())
    } catch (error) {
      if (byShard.size === 1 || !isDatabaseUnavailable(error)) throw error
      return new Map<string, CheckedSources>()
    }
  })
  const checked = new Map((await Promise.all(checks)).flatMap((one) => [...one]))
  return companies.map((company) => ({
    ...company,
    ...(checked.get(company.companyId) ?? { lateSources: null, lastReceivedAt: null }),
  }))
}
