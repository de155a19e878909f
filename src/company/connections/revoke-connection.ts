import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import type { Connection } from './connection.ts'
import { findOwnConnection } from './find-connection.ts'
import { markRevoked } from './queries.ts'
import { toConnection } from './to-connection.ts'

/**
 * Ends a connection permanently: from the next call on its credentials and tokens are 401 [conn.end]. Revoking it again
 * changes nothing.
 *
 * @throws 403, 404 as `requireRole`; 403, 404 as `findOwnConnection`
 */
export async function revokeConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
): Promise<Connection> {
  return inDirectoryTransaction(context.pool, async (client) => {
    const company = await lockRole(client, actor, companyId, 'developer')
    const now = context.clock.now()
    const at = new Date(now)
    const revokedBy = actorMemberId(actor)
    const marked = await markRevoked.first(client, { companyId, connectionId, at, revokedBy })
    const row = await findOwnConnection(client, company, connectionId, at)
    if (marked !== undefined) {
      await recordAuditEvent(client, {
        companyId,
        actor,
        action: 'connection_revoked',
        subject: { kind: 'connection', id: connectionId, name: row.name },
        atMs: now,
      })
    }
    return toConnection(row, now)
  })
}
