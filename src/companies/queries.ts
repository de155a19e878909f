import { defineStatement } from '../database/define-statement.ts'
import type { Role } from '../access/role.ts'

export interface CompanyRow {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
  created_at: Date
}

export interface MembershipRow {
  member_id: string
  name: string | null
  role: Role
  added_by: string | null
  added_at: Date
}

/** No row where the number is taken. */
export const insertCompany = defineStatement<
  CompanyRow,
  [companyId: string, orgnr: string, name: string, timeZone: string, at: Date]
>(
  'companies.insert',
  `insert into companies (company_id, orgnr, name, time_zone, created_at)
   values ($1::uuid, $2::text, $3::text, $4::text, $5::timestamptz)
   on conflict (orgnr) do nothing
   returning company_id, orgnr, name, time_zone, created_at`,
)

export const selectCompany = defineStatement<CompanyRow, [companyId: string]>(
  'companies.select',
  `select company_id, orgnr, name, time_zone, created_at from companies where company_id = $1::uuid`,
)

export const selectCompanyByOrgnr = defineStatement<CompanyRow, [orgnr: string]>(
  'companies.select_by_orgnr',
  `select company_id, orgnr, name, time_zone, created_at from companies where orgnr = $1::text`,
)

export const selectCompanies = defineStatement<CompanyRow, [after: string | null, limit: number]>(
  'companies.select_all',
  `select company_id, orgnr, name, time_zone, created_at
   from companies
   where ($1::uuid is null or company_id > $1::uuid)
   order by company_id
   limit $2::integer`,
)

/**
 * One at a time: without it two owners could remove each other in the same moment, and two who make something could both
 * take the last place.
 */
export const lockCompanyRow = defineStatement<{ company_id: string }, [companyId: string]>(
  'companies.lock',
  `select company_id from companies where company_id = $1::uuid for no key update`,
)

export const selectCompanyForMember = defineStatement<
  CompanyRow & { role: Role },
  [companyId: string, memberId: string]
>(
  'companies.select_for_member',
  `select c.company_id, c.orgnr, c.name, c.time_zone, c.created_at, m.role
   from memberships m join companies c using (company_id)
   where m.company_id = $1::uuid and m.member_id = $2::uuid`,
)

/**
 * As `selectCompanyForMember`, and the membership neither ends nor changes before the transaction is over: who changes it
 * waits, and who comes after such a change sees what became of it.
 */
export const holdCompanyForMember = defineStatement<
  CompanyRow & { role: Role },
  [companyId: string, memberId: string]
>(
  'companies.hold_for_member',
  `select c.company_id, c.orgnr, c.name, c.time_zone, c.created_at, m.role
   from memberships m join companies c using (company_id)
   where m.company_id = $1::uuid and m.member_id = $2::uuid
   for share of m`,
)

/** Companies of one member that are listed: of more, the first by name. */
export const companiesOfMemberMax = 10_000

export const selectCompaniesOfMember = defineStatement<CompanyRow & { role: Role }, [memberId: string]>(
  'companies.select_of_member',
  `select c.company_id, c.orgnr, c.name, c.time_zone, c.created_at, m.role
   from memberships m join companies c using (company_id)
   where m.member_id = $1::uuid
   order by c.name, c.company_id
   limit ${companiesOfMemberMax}`,
)

/** No row where they are a member already. */
export const insertMembership = defineStatement<
  { member_id: string },
  [companyId: string, memberId: string, role: Role, addedBy: string | null, at: Date]
>(
  'companies.insert_membership',
  `insert into memberships (company_id, member_id, role, added_by, added_at)
   values ($1::uuid, $2::uuid, $3::text, $4::uuid, $5::timestamptz)
   on conflict (company_id, member_id) do nothing
   returning member_id`,
)

export const selectMembership = defineStatement<MembershipRow, [companyId: string, memberId: string]>(
  'companies.select_membership',
  `select m.member_id, p.name, m.role, m.added_by, m.added_at
   from memberships m join members p using (member_id)
   where m.company_id = $1::uuid and m.member_id = $2::uuid`,
)

export const selectMemberships = defineStatement<
  MembershipRow,
  [companyId: string, after: string | null, limit: number]
>(
  'companies.select_memberships',
  `select m.member_id, p.name, m.role, m.added_by, m.added_at
   from memberships m join members p using (member_id)
   where m.company_id = $1::uuid and ($2::uuid is null or m.member_id > $2::uuid)
   order by m.member_id
   limit $3::integer`,
)

export const selectIsLastOwner = defineStatement<{ last: boolean }, [companyId: string, memberId: string]>(
  'companies.select_is_last_owner',
  `select coalesce(bool_or(member_id = $2::uuid) and not bool_or(member_id <> $2::uuid), false) as last
   from memberships
   where company_id = $1::uuid and role = 'owner'`,
)

export const updateRole = defineStatement<
  { member_id: string },
  [companyId: string, memberId: string, role: Role]
>(
  'companies.update_role',
  `update memberships set role = $3::text
   where company_id = $1::uuid and member_id = $2::uuid
   returning member_id`,
)

export const deleteMembership = defineStatement<{ member_id: string }, [companyId: string, memberId: string]>(
  'companies.delete_membership',
  `delete from memberships where company_id = $1::uuid and member_id = $2::uuid returning member_id`,
)
