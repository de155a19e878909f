import { hashSecret } from '../../platform/keys/secrets.ts'
import type { DirectoryContext } from '../../context.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { closedInvitation } from './invitation.ts'
import { selectInvitationByToken, selectRole } from './queries.ts'

/** What a link invites a member to. @throws 404 if the link is closed (`closedInvitation`) */
export async function showInvitation(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
  memberId: string,
  token: string,
) {
  const row = await selectInvitationByToken.first(context.pool, {
    tokenHash: hashSecret(token),
    memberId,
    at: new Date(context.clock.now()),
  })
  if (row === undefined) throw closedInvitation()
  const current = await selectRole.first(context.pool, { companyId: row.company_id, memberId })
  if (row.used && current === undefined) throw closedInvitation()
  return {
    company: { orgnr: formatOrgnr(row.orgnr), name: row.company_name },
    role: row.role,
    created_by: { name: row.created_by_name },
    expires_at: row.expires_at,
    current_role: current?.role ?? null,
  }
}
