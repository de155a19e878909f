import { defineStatement } from '../database/define-statement.ts'
import type { Role } from '../companies/role.ts'

export interface MembershipRow {
  member_id: string
  name: string | null
  role: Role
  added_by: string | null
  added_at: Date
}

/** No row where they are a member already. */
export const insertMembership = defineStatement<
  { member_id: string },
  [companyId: string, memberId: string, role: Role, addedBy: string | null, at: Date]
>(
  'memberships.insert_membership',
  `insert into memberships (company_id, member_id, role, added_by, added_at)
   values ($1::uuid, $2::uuid, $3::text, $4::uuid, $5::timestamptz)
   on conflict (company_id, member_id) do nothing
   returning member_id`,
)

export const selectMembership = defineStatement<MembershipRow, [companyId: string, memberId: string]>(
  'memberships.select_membership',
  `select m.member_id, p.name, m.role, m.added_by, m.added_at
   from memberships m join members p using (member_id)
   where m.company_id = $1::uuid and m.member_id = $2::uuid`,
)

export const selectMemberships = defineStatement<
  MembershipRow,
  [companyId: string, after: string | null, limit: number]
>(
  'memberships.select_memberships',
  `select m.member_id, p.name, m.role, m.added_by, m.added_at
   from memberships m join members p using (member_id)
   where m.company_id = $1::uuid and ($2::uuid is null or m.member_id > $2::uuid)
   order by m.member_id
   limit $3::integer`,
)

export const selectIsLastOwner = defineStatement<{ last: boolean }, [companyId: string, memberId: string]>(
  'memberships.select_is_last_owner',
  `select coalesce(bool_or(member_id = $2::uuid) and not bool_or(member_id <> $2::uuid), false) as last
   from memberships
   where company_id = $1::uuid and role = 'owner'`,
)

export const updateRole = defineStatement<
  { member_id: string },
  [companyId: string, memberId: string, role: Role]
>(
  'memberships.update_role',
  `update memberships set role = $3::text
   where company_id = $1::uuid and member_id = $2::uuid
   returning member_id`,
)

export const deleteMembership = defineStatement<{ member_id: string }, [companyId: string, memberId: string]>(
  'memberships.delete_membership',
  `delete from memberships where company_id = $1::uuid and member_id = $2::uuid returning member_id`,
)
