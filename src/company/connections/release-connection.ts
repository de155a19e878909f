import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Actor } from '../../people/members/actor.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/http/errors/errors.ts'
import { deleteActingCompany, selectConnection } from './queries.ts'

/**
 * Takes a company off another one's connection that acts on it [conn.who]: from the next call on it can do nothing on
 * the company, with the tokens it already has either. For good, since companies are chosen only when a connection is
 * made. It keeps working for its own and other companies.
 *
 * @throws 403, 404 as `requireRole`, for owners; 404 where no such connection acts on the company; 409 `conflict` where
 *   it is the company's own
 */
export async function releaseConnection(
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
): Promise<void> {
  await inTransaction(context.pool, async (client) => {
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
