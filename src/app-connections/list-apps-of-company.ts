import type { AppPermission } from '../access/app-permissions.ts'
import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../service/context.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import { selectAppsOfCompany } from './queries.ts'

/** An app that may read a company, for one of its members. */
export interface CompanyApp {
  connectionId: string
  clientId: string
  /** As the member saw them when they signed. */
  clientName: string
  redirectHost: string
  /** For whom it reads. */
  member: { memberId: string; name: string | null }
  permissions: AppPermission[]
  /** The member allowed every company of theirs, and not this one by name. */
  everyCompany: boolean
  consentedAt: Date
  expiresAt: Date
  /** Of its calls about this company; null where there is none among its latest ones. */
  lastCalledAt: Date | null
}

/**
 * The apps that may read a company now, newest first, for its owners.
 *
 * @throws 403, 404 as `requireRole`; 400 with field `cursor` or `limit`
 */
export async function listAppsOfCompany(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
): Promise<Page<CompanyApp>> {
  await requireRole(context.pool, actor, companyId, 'owner')
  const { after, limit } = pageRows(request)
  const rows = await selectAppsOfCompany.rows(context.pool, {
    companyId,
    before: after,
    limit: limit + 1,
    at: new Date(context.clock.now()),
  })
  const apps = rows.map((row) => ({
    connectionId: row.connection_id,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectHost: row.redirect_host,
    member: { memberId: row.member_id, name: row.member_name },
    permissions: row.permissions,
    everyCompany: row.every_company,
    consentedAt: row.consented_at,
    expiresAt: row.expires_at,
    lastCalledAt: row.last_called_at,
  }))
  return pageOf(apps, limit, (app) => app.connectionId)
}
