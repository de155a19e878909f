import { defineStatement } from '../database/define-statement.ts'
import type { Role } from '../access/role.ts'

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
  { companyId: string; memberId: string; role: Role; addedBy: string | null; at: Date }
>(
  'memberships.insert',
  `insert into memberships (company_id, member_id, role, added_by, added_at)
   values ($companyId::uuid, $memberId::uuid, $role::text, $addedBy::uuid, $at::timestamptz)
   on conflict (company_id, member_id) do nothing
   returning member_id`,
)

export const selectMembership = defineStatement<MembershipRow, { companyId: string; memberId: string }>(
  'memberships.select',
  `select memberships.member_id, members.name, memberships.role, memberships.added_by, memberships.added_at
   from memberships join members using (member_id)
   where memberships.company_id = $companyId::uuid and memberships.member_id = $memberId::uuid`,
)

export const selectMemberships = defineStatement<
  MembershipRow,
  { companyId: string; after: string | null; limit: number }
>(
  'memberships.select-all',
  `select memberships.member_id, members.name, memberships.role, memberships.added_by, memberships.added_at
   from memberships join members using (member_id)
   where memberships.company_id = $companyId::uuid and ($after::uuid is null or memberships.member_id > $after::uuid)
   order by memberships.member_id
   limit $limit::integer`,
)

export const selectIsLastOwner = defineStatement<{ last: boolean }, { companyId: string; memberId: string }>(
  'memberships.select-is-last-owner',
  `select coalesce(bool_or(member_id = $memberId::uuid) and not bool_or(member_id <> $memberId::uuid), false) as last
   from memberships
   where company_id = $companyId::uuid and role = 'owner'`,
)

export const updateRole = defineStatement<
  { member_id: string },
  { companyId: string; memberId: string; role: Role }
>(
  'memberships.update-role',
  `update memberships set role = $role::text
   where company_id = $companyId::uuid and member_id = $memberId::uuid
   returning member_id`,
)

export const deleteMembership = defineStatement<
  { member_id: string },
  { companyId: string; memberId: string }
>(
  'memberships.delete',
  `delete from memberships where company_id = $companyId::uuid and member_id = $memberId::uuid returning member_id`,
)
