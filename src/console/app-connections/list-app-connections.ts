import type { DirectoryContext } from '../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { type AppConnection, toAppConnection } from './app-connection.ts'
import { selectAppConnections, selectActiveOfApp } from './queries.ts'

/**
 * What a member has allowed apps, newest first, each with its current state.
 *
 * @throws 400 with field `cursor` or `limit`
 */
export async function listAppConnections(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  memberId: string,
  request: PageRequest = {},
): Promise<Page<AppConnection>> {
  const { after, limit } = pageRows(request)
  const rows = await selectAppConnections.rows(pool, { memberId, before: after, limit: limit + 1 })
  const connections = rows.map((row) => toAppConnection(row, clock.now()))
  return toPage(connections, limit, (connection) => connection.connection_id, rows.at(-1)?.more)
}

/** The active connections of an app, of all members, for the operator; otherwise as `listAppConnections`. */
export async function listConnectionsOfApp(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  clientId: string,
  request: PageRequest = {},
): Promise<Page<AppConnection>> {
  const now = new Date(clock.now())
  const { after, limit } = pageRows(request)
  const rows = await selectActiveOfApp.rows(pool, { clientId, now, before: after, limit: limit + 1 })
  const connections = rows.map((row) => toAppConnection(row, now.getTime()))
  return toPage(connections, limit, (connection) => connection.connection_id, rows.at(-1)?.more)
}
