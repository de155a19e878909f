import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { toInvitation, type Invitation } from './invitation.ts'
import { selectOpenInvitations } from './queries.ts'

/** The open links of a company, newest first, for its owners. @throws 403, 404 as `requireRole` */
export async function listInvitations(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
): Promise<Page<Invitation>> {
  await requireRole(context.pool, actor, companyId, 'owner')
  const { after, limit } = pageRows(request)
  const rows = await selectOpenInvitations.rows(context.pool, {
    companyId,
    before: after,
    limit: limit + 1,
    at: new Date(context.clock.now()),
  })
  return toPage(rows.map(toInvitation), limit, (invitation) => invitation.invitation_id)
}
