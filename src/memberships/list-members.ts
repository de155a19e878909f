import type { Context } from '../service/context.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import { invalidArgument } from '../http/errors.ts'
import type { Actor } from '../companies/actor.ts'
import { toMember, type Member } from './member.ts'
import { selectMemberships, selectRole } from './queries.ts'
import { requireRole } from '../companies/require-role.ts'

/**
 * The members of a company, for its owners, in the order in which they were added.
 *
 * @throws 403, 404 as `requireRole`; 400 with field `cursor` or `limit`, also where the page before ended with a member
 *   who was removed since
 */
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
  if (
    after !== null &&
    rows.length === 0 &&
    !(await selectRole.first(context.pool, { companyId, memberId: after }))
  ) {
    throw invalidArgument('The list has changed since the page before: read it from its beginning.', 'cursor')
  }
  return pageOf(rows.map(toMember), limit, (member) => member.memberId)
}
