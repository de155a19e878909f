import type { Context } from '../service/context.ts'
import type { Queryable } from '../database/pool.ts'
import { toCompany, type Company } from './company.ts'
import { selectCompanies, selectCompaniesOfMember } from './queries.ts'
import type { Role } from '../access/role.ts'

const pageRows = 500

/** Every company, for the operator, in the order they were added. */
export const listCompanies = async (context: Pick<Context, 'pool'>): Promise<Company[]> => {
  const companies: Company[] = []
  for (let after: string | null = null; ;) {
    const rows: Awaited<ReturnType<typeof selectCompanies.rows>> = await selectCompanies.rows(context.pool, [
      after,
      pageRows,
    ])
    companies.push(...rows.map(toCompany))
    if (rows.length < pageRows) return companies
    after = rows.at(-1)!.company_id
  }
}

/** The companies that a person is a member of now, by name, with their role in each. */
export const listCompaniesOfMember = async (
  context: { pool: Queryable },
  memberId: string,
): Promise<(Company & { role: Role })[]> => {
  const rows = await selectCompaniesOfMember.rows(context.pool, [memberId])
  return rows.map((row) => ({ ...toCompany(row), role: row.role }))
}
