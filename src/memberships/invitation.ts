import type { Role } from '../access/role.ts'
import { ApiError } from '../http/errors.ts'
import type { InvitationRow } from './queries.ts'

/** How long a link may be used, in milliseconds from its making. Then it opens nothing. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60_000

/** A link with which one person, once, becomes a member. */
export interface Invitation {
  invitationId: string
  role: Role
  /** For whom it was made, in the words of whoever made it. */
  label: string | null
  madeBy: { memberId: string; name: string | null }
  madeAt: Date
  expiresAt: Date
}

export function toInvitation(row: InvitationRow): Invitation {
  return {
    invitationId: row.invitation_id,
    role: row.role,
    label: row.label,
    madeBy: { memberId: row.made_by, name: row.made_by_name },
    madeAt: row.made_at,
    expiresAt: row.expires_at,
  }
}

/** The same for every link that opens nothing, so that it does not tell which of them ever did. */
export function closedInvitation(): ApiError {
  return new ApiError('not_found', 'The link was used or withdrawn, or its time is over: ask for a new one.')
}
