import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import type { DirectoryContext } from '../../context.ts'
import { selectIsAuditEvent, updateDismissedNotices } from './queries.ts'

/**
 * Dismisses the notices of a company up to one of its events, only for this owner.
 *
 * @throws 403, 404 as `requireRole`; 404 if the company has no such event
 */
export async function dismissNotices(
  context: Pick<DirectoryContext, 'pool'>,
  owner: Exclude<Actor, 'operator'>,
  companyId: string,
  through: string,
): Promise<void> {
  await requireRole(context.pool, owner, companyId, 'owner')
  const { memberId } = owner
  const event = await selectIsAuditEvent.first(context.pool, { companyId, eventId: through })
  if (!event!.found) throw notFound()
  const dismissed = await inDirectoryTransaction(context.pool, (client) =>
    updateDismissedNotices.first(client, { companyId, memberId, through }),
  )
  if (dismissed === undefined) throw notFound()
}
