import { ApiError } from '../../platform/http/errors/errors.ts'
import type { InvitationRow } from './queries.ts'

/** How long after its creation a link may be used, in milliseconds. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60_000

/** A link with which one person, once, becomes a member. */
export type Invitation = ReturnType<typeof toInvitation>

export function toInvitation(row: InvitationRow) {
  const { invitation_id, role, label, created_by, created_by_name, created_at, expires_at } = row
  return {
    invitation_id,
    role,
    label,
    created_by: { member_id: created_by, name: created_by_name },
    created_at,
    expires_at,
  }
}

/** The same for every closed link, so that it does not reveal which of them ever existed. */
export function closedInvitation(): ApiError {
  return new ApiError('not_found', 'The link was used or withdrawn, or has expired: ask for a new one.')
}
