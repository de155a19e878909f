import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import { toInvitation, type Invitation } from './invitation.ts'
import { selectOpenInvitations } from './queries.ts'

/** The links of a company that may still be used, newest first, for its owners. @throws 403, 404 as `requireRole` */
export async function listInvitations(
  context: Pick<Context, 'pool' | 'clock'>,
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
  return pageOf(rows.map(toInvitation), limit, (invitation) => invitation.invitationId)
}
