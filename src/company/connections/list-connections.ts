import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import type { Connection, ConnectionState } from './connection.ts'
import { findConnection } from './find-connection.ts'
import { selectConnections } from './queries.ts'
import { toConnection } from './to-connection.ts'

/** Which connections are listed; absent members do not filter. */
export interface ConnectionFilter {
  state?: ConnectionState
  sourceId?: string
  /** A member. */
  createdBy?: string
}

/**
 * The connections of a company, newest first, each with its current state and its company; for owners also those of other
 * companies that act on theirs [conn.who].
 *
 * @throws 403, 404 as `requireRole`
 */
export async function listConnections(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
  filter: ConnectionFilter = {},
): Promise<Page<Connection>> {
  const { role } = await requireRole(context.pool, actor, companyId, 'developer')
  const now = context.clock.now()
  const { after, limit } = pageRows(request)
  const rows = await selectConnections.rows(context.pool, {
    at: new Date(now),
    companyId,
    before: after,
    limit: limit + 1,
    withFurther: role === 'owner',
    sourceId: filter.sourceId ?? null,
    createdBy: filter.createdBy ?? null,
    state: filter.state ?? null,
  })
  const connections = rows.map((row) => toConnection(row, now))
  return toPage(connections, limit, (connection) => connection.connectionId, rows.at(-1)?.more)
}

/** One of them. @throws 403, 404 as `requireRole`; 404 as `findConnection` */
export async function showConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
): Promise<Connection> {
  const company = await requireRole(context.pool, actor, companyId, 'developer')
  const now = context.clock.now()
  return toConnection(await findConnection(context.pool, company, connectionId, new Date(now)), now)
}
