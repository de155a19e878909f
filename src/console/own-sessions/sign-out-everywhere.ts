import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { listCompaniesOfMember } from '../../people/companies/list-companies.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { DirectoryContext } from '../../context.ts'
import { endSessionsOfMember } from '../../people/sessions/own-sessions.ts'

/** Ends all sessions of a person, the current one included, and records it in the audit of each of their companies. */
export async function signOutEverywhere(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  actor: { memberId: string },
): Promise<void> {
  const { memberId } = actor
  await inTransaction(context.pool, async (client) => {
    await endSessionsOfMember(client, memberId)
    for (const { companyId } of await listCompaniesOfMember({ pool: client }, memberId)) {
      await recordAuditEvent(client, {
        companyId,
        actor,
        action: 'signed_out_everywhere',
        subject: { kind: 'member', id: memberId, name: null },
        atMs: context.clock.now(),
      })
    }
  })
}
