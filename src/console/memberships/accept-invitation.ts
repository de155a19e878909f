import type { Role } from '../../people/access/role.ts'
import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import type { DirectoryContext } from '../../context.ts'
import { requireQuota } from '../../engine/usage/require-quota.ts'
import { closedInvitation } from './invitation.ts'
import {
  insertMembership,
  markInvitationUsed,
  selectInvitationByToken,
  selectMembership,
  selectRole,
} from './queries.ts'

/**
 * Makes a signed-in person a member of the company that a link invites to. If several use it at the same time, one becomes a
 * member; the same person using it again gets the same answer.
 *
 * @throws 404 if the link is closed (`closedInvitation`); 409 `conflict` if they are already a member, and the link stays open, or
 *   if the company has reached its limit
 */
export async function acceptInvitation(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  memberId: string,
  token: string,
): Promise<{ company_id: string; role: Role }> {
  const tokenHash = hashSecret(token)
  return inDirectoryTransaction(context.pool, async (client) => {
    const now = context.clock.now()
    const at = new Date(now)
    const found = await selectInvitationByToken.first(client, { tokenHash, memberId, at })
    if (found === undefined) throw closedInvitation()
    const companyId = found.company_id
    await lockCompany(client, companyId)
    // It may have been used or withdrawn while this waited for the lock.
    const invitation = await selectInvitationByToken.first(client, { tokenHash, memberId, at })
    if (invitation === undefined) throw closedInvitation()
    const current = await selectRole.first(client, { companyId, memberId })
    if (invitation.used) {
      if (current === undefined) throw closedInvitation()
      return { company_id: companyId, role: current.role }
    }
    await requireKept(client, companyId)
    if (current !== undefined) throw conflict('You are already a member of the company.')
    await requireQuota(context, client, companyId, 'members')
    await markInvitationUsed.run(client, { tokenHash, memberId, at })
    const { role, created_by: addedBy } = invitation
    await insertMembership.run(client, { companyId, memberId, role, label: null, addedBy, opened: true, at })
    const joined = await selectMembership.first(client, { companyId, memberId, at })
    await recordAuditEvent(client, {
      companyId,
      actor: { memberId },
      action: 'member_joined',
      subject: { kind: 'member', id: memberId, name: joined!.name },
      details: { role, invitation_id: invitation.invitation_id },
      atMs: now,
    })
    return { company_id: companyId, role }
  })
}
