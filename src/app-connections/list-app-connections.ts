import type { Context } from '../service/context.ts'
import { pageOf, pageRows, type Page, type PageRequest } from '../http/pagination.ts'
import type { AppConnection } from './app-connection.ts'
import { selectAppConnections, selectActiveOfApp } from './queries.ts'
import { toAppConnection } from './to-app-connection.ts'

/**
 * What a member has allowed apps, newest first, each with its state at this moment.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listAppConnections(
  context: Pick<Context, 'pool' | 'clock'>,
  memberId: string,
  request: PageRequest = {},
): Promise<Page<AppConnection>> {
  const { after, limit } = pageRows(request)
  const rows = await selectAppConnections.rows(context.pool, { memberId, before: after, limit: limit + 1 })
  const connections = rows.map((row) => toAppConnection(row, context.clock.now()))
  return pageOf(connections, limit, (connection) => connection.connectionId, rows.at(-1)?.more)
}

/**
 * The active connections of an app, of all members, newest first: for the operator.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listConnectionsOfApp(
  context: Pick<Context, 'pool' | 'clock'>,
  clientId: string,
  request: PageRequest = {},
): Promise<Page<AppConnection>> {
  const now = context.clock.now()
  const { after, limit } = pageRows(request)
  const rows = await selectActiveOfApp.rows(context.pool, {
    clientId,
    now: new Date(now),
    before: after,
    limit: limit + 1,
  })
  const connections = rows.map((row) => toAppConnection(row, now))
  return pageOf(connections, limit, (connection) => connection.connectionId, rows.at(-1)?.more)
}
