import type { DirectoryContext } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { toCompany, type Company } from './company.ts'
import { dayBefore } from './day-before.ts'
import { selectCompanies, selectCompaniesOfMember } from './queries.ts'
import type { Role } from '../access/role.ts'

const pageRows = 500

/** Every company, for the operator, in the order they were added. */
export async function listCompanies(context: Pick<DirectoryContext, 'pool'>): Promise<Company[]> {
  const companies: Company[] = []
  for (let after: string | null = null; ;) {
    const rows: Awaited<ReturnType<typeof selectCompanies.rows>> = await selectCompanies.rows(context.pool, {
      after,
      limit: pageRows,
    })
    companies.push(...rows.map(toCompany))
    if (rows.length < pageRows) return companies
    after = rows.at(-1)!.company_id
  }
}

export interface MembersCompany extends Company {
  role: Role
  /** The last day on which its deletion can be withdrawn; null unless it is to be deleted. */
  deletesAfter: string | null
}

/** The companies of which a person is a member now, by name, with their role in each. */
export async function listCompaniesOfMember(
  context: { pool: Queryable },
  memberId: string,
): Promise<MembersCompany[]> {
  const rows = await selectCompaniesOfMember.rows(context.pool, { memberId })
  return rows.map((row) => {
    const company = toCompany(row)
    const deletesAfter = row.deletes_at && dayBefore(row.deletes_at, company.timeZone)
    return { ...company, role: row.role, deletesAfter }
  })
}
