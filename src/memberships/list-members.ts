import type { Context } from '../service/context.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import type { Actor } from '../companies/actor.ts'
import { toMember, type Member } from './member.ts'
import { selectMemberships } from './queries.ts'
import { requireRole } from '../companies/require-role.ts'

/** The members of a company, for its owners, in the order in which the service came to know them. */
export async function listMembers(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
): Promise<Page<Member>> {
  await requireRole(context.pool, actor, companyId, 'owner')
  const { after, limit } = pageRows(request)
  const at = new Date(context.clock.now())
  const rows = await selectMemberships.rows(context.pool, { companyId, after, limit: limit + 1, at })
  return pageOf(rows.map(toMember), limit, (member) => member.memberId)
}
