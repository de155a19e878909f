import type { Role } from '../access/role.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { lockCompany } from '../companies/lock-company.ts'
import { inTransaction } from '../database/transaction.ts'
import { conflict } from '../http/errors.ts'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import { requireRoom } from '../usage/require-room.ts'
import { closedInvitation } from './invitation.ts'
import {
  insertMembership,
  markInvitationUsed,
  selectInvitationByToken,
  selectMembership,
  selectRole,
} from './queries.ts'

/**
 * Makes a signed-in person a member of the company that a link invites to. Of any number who use it at once, one does. Who
 * has used it and uses it again gets the same answer, and nothing is changed.
 *
 * @throws 404 where it was used by somebody else or withdrawn, or its time is over; 409 `conflict` where they are a member
 *   already, who leave the link to somebody else, or the company has as many as it may
 */
export async function acceptInvitation(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  memberId: string,
  token: string,
): Promise<{ companyId: string; role: Role }> {
  const tokenHash = hashSecret(token)
  return inTransaction(context.pool, async (client) => {
    const now = context.clock.now()
    const at = new Date(now)
    const found = await selectInvitationByToken.first(client, { tokenHash, memberId, at })
    if (found === undefined) throw closedInvitation()
    const companyId = found.company_id
    await lockCompany(client, companyId)
    // Once more: it may have been used or withdrawn while this waited.
    const invitation = await selectInvitationByToken.first(client, { tokenHash, memberId, at })
    if (invitation === undefined) throw closedInvitation()
    const held = await selectRole.first(client, { companyId, memberId })
    if (invitation.used) {
      if (held === undefined) throw closedInvitation()
      return { companyId, role: held.role }
    }
    if (held !== undefined) throw conflict('You are a member of the company already.')
    await requireRoom(context, client, companyId, 'members')
    await markInvitationUsed.run(client, { tokenHash, memberId, at })
    const { role, made_by: addedBy } = invitation
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
    return { companyId, role }
  })
}
