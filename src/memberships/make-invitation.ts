import type { Role } from '../access/role.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { lockCompany } from '../companies/lock-company.ts'
import type { Actor } from '../companies/actor.ts'
import { requireRecentSignIn } from '../companies/require-recent-sign-in.ts'
import { holdRole } from '../companies/require-role.ts'
import { inTransaction } from '../database/transaction.ts'
import { conflict } from '../http/errors.ts'
import { hashSecret, newSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import { checkLabel } from './check-label.ts'
import { invitationLifetimeMs, toInvitation, type Invitation } from './invitation.ts'
import { countOpenInvitations, insertInvitation, selectInvitation } from './queries.ts'

/** Links of a company that may be used at the same time; one more is 409. */
export const openInvitationsMax = 100

export interface MadeInvitation {
  invitation: Invitation
  /** Here and never again. The token stands in its fragment, which no browser sends anywhere. */
  link: string
}

/**
 * Makes a link with which one person, once and within 7 days, becomes a member. It opens nothing any more once whoever
 * made it is no owner of the company.
 *
 * @throws 400 with field `label`; 403, 404 as `requireRole`; 403 `sign_in_again` for an owner; 409 `conflict` where the company has as many as it may
 */
export async function makeInvitation(
  context: Pick<Context, 'pool' | 'clock' | 'config'>,
  actor: Exclude<Actor, 'operator'>,
  companyId: string,
  input: { role: Role; label?: string },
): Promise<MadeInvitation> {
  const label = checkLabel(input.label)
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await holdRole(client, actor, companyId, 'owner')
    if (input.role === 'owner') requireRecentSignIn(context, actor)
    const now = context.clock.now()
    const at = new Date(now)
    const counted = await countOpenInvitations.first(client, { companyId, at, max: openInvitationsMax })
    if (counted!.open >= openInvitationsMax) {
      throw conflict(`The company has ${openInvitationsMax} links that wait: withdraw one first.`)
    }
    const token = newSecret('niv_')
    const invitationId = uuidv7(now)
    await insertInvitation.run(client, {
      companyId,
      invitationId,
      tokenHash: hashSecret(token),
      role: input.role,
      label,
      madeBy: actor.memberId,
      at,
      expiresAt: new Date(now + invitationLifetimeMs),
    })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'invitation_made',
      subject: { kind: 'invitation', id: invitationId, name: label },
      details: { role: input.role },
      atMs: now,
    })
    const row = (await selectInvitation.first(client, { companyId, invitationId }))!
    return { invitation: toInvitation(row), link: `${context.config.baseUrl}/invitations#${token}` }
  })
}
