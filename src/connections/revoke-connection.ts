import { actorMemberId, type Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../context.ts'
import { notFound } from '../http/errors.ts'
import type { Connection } from './connection.ts'
import { markRevoked, selectConnection } from './queries.ts'
import { toConnection } from './to-connection.ts'

/**
 * Ends a connection for good: from the next call on its credentials and the tokens it has are 401 (reading `conn.end`).
 * Revoking a revoked one changes nothing.
 *
 * @throws 403, 404 as `requireRole`; 404 where there is no such connection
 */
export const revokeConnection = async (
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
): Promise<Connection> => {
  await requireRole(context.pool, actor, companyId, 'developer')
  const now = context.clock.now()
  const at = new Date(now)
  await markRevoked.run(context.pool, [companyId, connectionId, at, actorMemberId(actor)])
  const row = await selectConnection.first(context.pool, [at, companyId, connectionId])
  if (row === undefined) throw notFound()
  return toConnection(row, now)
}
