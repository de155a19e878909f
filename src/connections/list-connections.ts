import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/page.ts'
import type { Connection } from './connection.ts'
import { selectConnection, selectConnections } from './queries.ts'
import { toConnection } from './to-connection.ts'

/**
 * The connections of a company, newest first, each with its state at this moment and whose it is.
 *
 * @throws 403, 404 as `requireRole`
 */
export const listConnections = async (
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
): Promise<Page<Connection>> => {
  await requireRole(context.pool, actor, companyId, 'developer')
  const now = context.clock.now()
  const { after, limit } = pageRows(request)
  const rows = await selectConnections.rows(context.pool, [new Date(now), companyId, after, limit + 1])
  const connections = rows.map((row) => toConnection(row, now))
  return pageOf(connections, limit, (connection) => connection.connectionId, rows.at(-1)?.more)
}

/** One of them. @throws 403, 404 as `requireRole`; 404 where there is no such connection */
export const showConnection = async (
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
): Promise<Connection> => {
  await requireRole(context.pool, actor, companyId, 'developer')
  const now = context.clock.now()
  const row = await selectConnection.first(context.pool, [new Date(now), companyId, connectionId])
  if (row === undefined) throw notFound()
  return toConnection(row, now)
}
