import type { Role } from '../access/role.ts'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import { closedInvitation } from './invitation.ts'
import { selectInvitationByToken, selectRole } from './queries.ts'

/** What somebody who opens a link is asked. */
export interface InvitationToAccept {
  company: { orgnr: string; name: string }
  role: Role
  madeBy: { name: string | null }
  expiresAt: Date
  /** What they are in the company already; null where they are no member. */
  currentRole: Role | null
}

/** What a link invites to. @throws 404 where it was used by somebody else or withdrawn, or its time is over */
export async function showInvitation(
  context: Pick<Context, 'pool' | 'clock'>,
  memberId: string,
  token: string,
): Promise<InvitationToAccept> {
  const row = await selectInvitationByToken.first(context.pool, {
    tokenHash: hashSecret(token),
    memberId,
    at: new Date(context.clock.now()),
  })
  if (row === undefined) throw closedInvitation()
  const held = await selectRole.first(context.pool, { companyId: row.company_id, memberId })
  if (row.used && held === undefined) throw closedInvitation()
  return {
    company: { orgnr: row.orgnr, name: row.company_name },
    role: row.role,
    madeBy: { name: row.made_by_name },
    expiresAt: row.expires_at,
    currentRole: held?.role ?? null,
  }
}
