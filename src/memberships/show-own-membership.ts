import { notFound } from '../http/errors.ts'
import type { Context } from '../service/context.ts'
import { toMember, type Member } from './member.ts'
import { selectIsLastOwner, selectMembership } from './queries.ts'

export interface OwnMembership extends Pick<Member, 'role' | 'addedAt' | 'signedConnections'> {
  /** Whether they are the only owner, who may not leave. */
  isLastOwner: boolean
}

/**
 * What somebody is in a company, and what they would leave behind there.
 *
 * @throws 404 where they are no member
 */
export async function showOwnMembership(
  context: Pick<Context, 'pool' | 'clock'>,
  memberId: string,
  companyId: string,
): Promise<OwnMembership> {
  const at = new Date(context.clock.now())
  const row = await selectMembership.first(context.pool, { companyId, memberId, at })
  if (row === undefined) throw notFound()
  const { role, addedAt, signedConnections } = toMember(row)
  const isLastOwner = (await selectIsLastOwner.first(context.pool, { companyId, memberId }))?.last === true
  return { role, addedAt, signedConnections, isLastOwner }
}
