import { notFound } from '../../platform/http/errors/errors.ts'
import type { DirectoryContext } from '../../context.ts'
import { selectIsLastOwner, selectMembership } from './queries.ts'

/** A member's role in a company, and what they would leave behind. @throws 404 if they are not a member */
export async function showOwnMembership(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  memberId: string,
  companyId: string,
) {
  const at = new Date(context.clock.now())
  const member = await selectMembership.first(context.pool, { companyId, memberId, at })
  if (member === undefined) throw notFound()
  const { role, added_at, signed_connections } = member
  const found = await selectIsLastOwner.first(context.pool, { companyId, memberId })
  return { role, added_at, signed_connections, last_owner: found?.last === true }
}
