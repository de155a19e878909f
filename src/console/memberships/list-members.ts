import type { DirectoryContext } from '../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import type { Actor } from '../../people/members/actor.ts'
import { selectMemberships, selectRole } from './queries.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { Member } from './member.ts'

/**
 * The members of a company, for its owners, in the order in which they were added.
 *
 * @throws 403, 404 as `requireRole`; 400 with field `cursor` or `limit`, also if the member that the previous page ended
 *   with has been removed
 */
export async function listMembers(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
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
    throw invalidArgument(
      'The list has changed since the previous page: read it from the beginning.',
      'cursor',
    )
  }
  return toPage(rows, limit, (member) => member.member_id)
}
