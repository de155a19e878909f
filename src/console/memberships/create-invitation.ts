import type { Role } from '../../people/access/role.ts'
import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import type { Actor } from '../../people/members/actor.ts'
import { requireRecentSignIn } from '../../people/members/require-recent-sign-in.ts'
import { lockRole } from '../../people/members/require-role.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { hashSecret, newSecret } from '../../platform/keys/secrets.ts'
import type { DirectoryContext } from '../../context.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { checkLabel } from './check-label.ts'
import { invitationLifetimeMs, toInvitation, type Invitation } from './invitation.ts'
import { countOpenInvitations, insertInvitation, selectInvitation } from './queries.ts'

/** Open links of a company; one more is 409. */
export const openInvitationsMax = 100

interface CreatedInvitation {
  invitation: Invitation
  /** Never shown again. The token is in the fragment, which browsers do not send. */
  link: string
}

/**
 * Creates a link with which one person, once and within 7 days, becomes a member. It closes when its creator stops being an owner.
 *
 * @throws 400 with field `label`; 403, 404 as `requireRole`; 403 `sign_in_again` for an owner; 409 `conflict` beyond
 *   `openInvitationsMax`
 */
export async function createInvitation(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  actor: Exclude<Actor, 'operator'>,
  companyId: string,
  input: { role: Role; label?: string },
): Promise<CreatedInvitation> {
  const label = checkLabel(input.label)
  return inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await lockRole(client, actor, companyId, 'owner')
    await requireKept(client, companyId)
    if (input.role === 'owner') requireRecentSignIn(context, actor)
    const now = context.clock.now()
    const at = new Date(now)
    const counted = await countOpenInvitations.first(client, { companyId, at, max: openInvitationsMax })
    if (counted!.open >= openInvitationsMax) {
      throw conflict(`The company has ${openInvitationsMax} open links: withdraw one first.`)
    }
    const token = newSecret('niv_')
    const invitationId = uuidv7(now)
    await insertInvitation.run(client, {
      companyId,
      invitationId,
      tokenHash: hashSecret(token),
      role: input.role,
      label,
      createdBy: actor.memberId,
      at,
      expiresAt: new Date(now + invitationLifetimeMs),
    })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'invitation_created',
      subject: { kind: 'invitation', id: invitationId, name: label },
      details: { role: input.role },
      atMs: now,
    })
    const row = (await selectInvitation.first(client, { companyId, invitationId }))!
    return { invitation: toInvitation(row), link: `${context.config.baseUrl}/invitations#${token}` }
  })
}
