import type { MembershipRow } from './queries.ts'
import type { Role } from '../access/role.ts'

/** One person's membership of one company. */
export interface Member {
  memberId: string
  /** Null until they have signed in for the first time. */
  name: string | null
  role: Role
  /** Null when the operator added them. */
  addedBy: string | null
  addedAt: Date
}

export const toMember = (row: MembershipRow): Member => ({
  memberId: row.member_id,
  name: row.name,
  role: row.role,
  addedBy: row.added_by,
  addedAt: row.added_at,
})
