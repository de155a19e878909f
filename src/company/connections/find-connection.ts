import type { ActorsCompany } from '../../people/members/require-role.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { ApiError, notFound } from '../../platform/http/errors/errors.ts'
import { selectConnection, selectFurtherConnection, type ConnectionRow } from './queries.ts'

/**
 * A connection visible to a member of a company: one of the company itself or, for owners, one of another company that acts
 * on theirs [conn.who].
 *
 * @param company as `requireRole` returned it, for at least a developer
 * @throws 404 if they can see no such connection
 */
export async function findConnection(
  on: Queryable,
  company: Pick<ActorsCompany, 'companyId' | 'role'>,
  connectionId: string,
  at: Date,
): Promise<ConnectionRow> {
  const own = await selectConnection.first(on, { at, companyId: company.companyId, connectionId })
  if (own !== undefined) return own
  const further =
    company.role === 'owner'
      ? await selectFurtherConnection.first(on, { at, companyId: company.companyId, connectionId })
      : undefined
  if (further === undefined) throw notFound()
  return further
}

/**
 * Like `findConnection`, for acts that only the connection's own company may do.
 *
 * @throws 404 as `findConnection`; 403 `permission_denied` if it is another company's
 */
export async function findOwnConnection(
  on: Queryable,
  company: Pick<ActorsCompany, 'companyId' | 'role'>,
  connectionId: string,
  at: Date,
): Promise<ConnectionRow> {
  const row = await findConnection(on, company, connectionId, at)
  if (row.company_id !== company.companyId) {
    throw new ApiError(
      'permission_denied',
      'The connection is another company’s; you can take your company off it.',
    )
  }
  return row
}
