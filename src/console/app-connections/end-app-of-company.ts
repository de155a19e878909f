import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { chooseOtherCompanies, deleteChosenCompany, narrowToChosen, selectAppOfCompany } from './queries.ts'

/**
 * Ends an app's access to a company, for its owners. The app keeps what the member allowed it of their other companies; where that was
 * every company, those that the member has opened by now. The member may allow it again.
 *
 * @throws 403, 404 as `requireRole`; 404 if no such app may read the company
 */
export async function endAppOfCompany(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
): Promise<void> {
  await requireRole(pool, actor, companyId, 'owner')
  const atMs = clock.now()
  await inDirectoryTransaction(pool, async (client) => {
    const app = await selectAppOfCompany.first(client, { companyId, connectionId, at: new Date(atMs) })
    if (app === undefined) throw notFound()
    const wasEvery = (await narrowToChosen.first(client, { connectionId })) !== undefined
    if (wasEvery) await chooseOtherCompanies.run(client, { connectionId, companyId })
    await deleteChosenCompany.run(client, { connectionId, companyId })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'app_ended',
      subject: { kind: 'member', id: app.member_id, name: app.member_name },
      details: { app: app.client_name },
      atMs,
    })
  })
}
