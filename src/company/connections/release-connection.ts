import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Actor } from '../../people/members/actor.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { conflict, notFound } from '../../platform/http/errors/errors.ts'
import { deleteActingCompany, selectConnection } from './queries.ts'

/**
 * Releases a company from another company's connection that acts on it [conn.who]: from the next call on it has no access
 * to the company, even with existing tokens. This is permanent, since companies are chosen only when a connection is
 * created. It keeps working for its own and other companies.
 *
 * @throws 403, 404 as `requireRole`, for owners; 404 if no such connection acts on the company; 409 `conflict` if it is the
 *   company's own
 */
export async function releaseConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
): Promise<void> {
  await inDirectoryTransaction(context.pool, async (client) => {
    await lockRole(client, actor, companyId, 'owner')
    const now = context.clock.now()
    const at = new Date(now)
    const released = await deleteActingCompany.first(client, { connectionId, companyId })
    if (released !== undefined) {
      await recordAuditEvent(client, {
        companyId,
        actor,
        action: 'connection_released',
        subject: { kind: 'connection', id: connectionId, name: released.name },
        details: { company: released.company_name },
        atMs: now,
      })
      return
    }
    const own = await selectConnection.first(client, { at, companyId, connectionId })
    throw own === undefined ? notFound() : conflict('The connection is the company’s own: revoke it instead.')
  })
}
