import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { toPage, pageRows, type PageRequest } from '../../platform/http/pagination.ts'
import { selectAppsOfCompany } from './queries.ts'

/**
 * The apps that may read a company now, newest first, for its owners.
 *
 * @throws 403, 404 as `requireRole`; 400 with field `cursor` or `limit`
 */
export async function listAppsOfCompany(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
) {
  await requireRole(context.pool, actor, companyId, 'owner')
  const { after, limit } = pageRows(request)
  const rows = await selectAppsOfCompany.rows(context.pool, {
    companyId,
    before: after,
    limit: limit + 1,
    at: new Date(context.clock.now()),
  })
  const apps = rows.map(({ member_id, member_name, ...app }) => ({
    ...app,
    member: { member_id, name: member_name },
  }))
  return toPage(apps, limit, (app) => app.connection_id)
}
