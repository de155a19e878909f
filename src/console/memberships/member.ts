import type { Role } from '../../people/access/role.ts'

/** One person's membership of a company, as the pages' API has it. */
export interface Member {
  member_id: string
  /** Null until they have opened the company since they were added. */
  name: string | null
  /** What the owner who added them calls them; null once they have opened the company. */
  label: string | null
  role: Role
  /** Null if the operator added them. */
  added_by: string | null
  added_at: Date
  /** Null until they have signed in and opened the company since they were added. */
  last_sign_in_at: Date | null
  /** The company's own connections that they created, and that are signed and active; at most `countedConnectionsMax`. */
  signed_connections: number
}
