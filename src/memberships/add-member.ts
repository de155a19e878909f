import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Context } from '../service/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { checkDisplayText } from '../http/check-display-text.ts'
import { conflict, invalidArgument } from '../http/errors.ts'
import { findOrAddMember } from '../companies/find-or-add-member.ts'
import { parsePersonalNumber } from '../values/personal-number.ts'
import { requireRoom } from '../usage/require-room.ts'
import { actorMemberId, type Actor } from '../companies/actor.ts'
import { lockCompany } from '../companies/lock-company.ts'
import { checkLabel } from './check-label.ts'
import { toMember, type Member } from './member.ts'
import { insertMembership, selectMembership } from './queries.ts'
import { holdRole } from '../companies/require-role.ts'
import type { Role } from '../access/role.ts'

/**
 * Invites a person by personal number: from their next sign-in they are a member. For owners and the operator.
 *
 * @param input the name only where it is known; their electronic identity has the last word. The label tells them apart
 *   until they sign in
 * @throws 400 with field `personal_number`, `label` or `name`; 403, 404 as `requireRole`; 409 `conflict` where they are
 *   a member already, or the company has as many as it may
 */
export async function addMember(
  context: Pick<Context, 'pool' | 'clock' | 'keys' | 'config'>,
  actor: Actor,
  companyId: string,
  input: { personalNumber: string; role: Role; name?: string; label?: string },
): Promise<Member> {
  const label = checkLabel(input.label)
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await holdRole(client, actor, companyId, 'owner')
    const now = context.clock.now()
    const at = new Date(now)
    const personalNumber = parsePersonalNumber(input.personalNumber, at)
    if (personalNumber === undefined) throw invalidArgument('It is no personal number.', 'personal_number')
    await requireRoom(context, client, companyId, 'members')
    const memberId = await findOrAddMember(context, client, {
      personalNumber,
      ...(input.name === undefined ? {} : { name: checkDisplayText(input.name, 'name') }),
    })
    const added = await insertMembership.first(client, {
      companyId,
      memberId,
      role: input.role,
      label,
      addedBy: actorMemberId(actor),
      at,
    })
    if (added === undefined) throw conflict('They are a member of the company already.', 'personal_number')
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'member_invited',
      subject: { kind: 'member', id: memberId, name: null },
      details: { role: input.role },
      atMs: now,
    })
    return toMember((await selectMembership.first(client, { companyId, memberId, at }))!)
  })
}
