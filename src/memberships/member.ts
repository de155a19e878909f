import type { MembershipRow } from './queries.ts'
import type { Role } from '../access/role.ts'

/** One person's membership of one company. */
export interface Member {
  memberId: string
  /** Null until they have opened the company since they were added. */
  name: string | null
  /** What the owner who added them calls them, until they open the company. */
  label: string | null
  role: Role
  /** Null when the operator added them. */
  addedBy: string | null
  addedAt: Date
  /** Null where they have not since they were added, or have not opened the company. */
  lastSignInAt: Date | null
  /** The company's own connections that they made, and that are signed and in force; at most `countedConnectionsMax`. */
  signedConnections: number
}

export function toMember(row: MembershipRow): Member {
  return {
    memberId: row.member_id,
    name: row.name,
    label: row.label,
    role: row.role,
    addedBy: row.added_by,
    addedAt: row.added_at,
    lastSignInAt: row.last_sign_in_at,
    signedConnections: row.signed_connections,
  }
}
