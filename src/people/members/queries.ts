import { defineStatement } from '../../platform/database/define-statement.ts'
import { fromAccess } from '../../platform/database/schemas.ts'
import type { Role } from '../access/role.ts'
import { companyColumns, type CompanyRow } from '../companies/company.ts'

type MembersCompanyRow = CompanyRow & { role: Role; opened: boolean }

export const selectCompanyForMember = defineStatement<
  MembersCompanyRow,
  { companyId: string; memberId: string }
>(
  'members.select-company',
  `select ${companyColumns}, memberships.role, memberships.opened
   from memberships join companies using (company_id)
   where memberships.company_id = $companyId::uuid and memberships.member_id = $memberId::uuid`,
)

const membershipKey = `hashtextextended(concat($companyId::uuid, $memberId::uuid), 7862693120)`

/**
 * Until the transaction is over, the membership neither ends nor changes (`lockMembership`). What another transaction changed
 * before is seen by the next statement.
 */
export const shareMembership = defineStatement<never, { companyId: string; memberId: string }>(
  'members.share-membership',
  `select pg_advisory_xact_lock_shared(${membershipKey}) ${fromAccess}`,
)

/** Waits for the transactions that rely on the membership (`shareMembership`). To be called before it is changed or ended. */
export const lockMembership = defineStatement<never, { companyId: string; memberId: string }>(
  'members.lock-membership',
  `select pg_advisory_xact_lock(${membershipKey}) ${fromAccess}`,
)

/** From now on the company knows the person by name. */
export const markOpened = defineStatement<never, { companyId: string; memberId: string }>(
  'members.mark-opened',
  `update memberships set opened = true
   where company_id = $companyId::uuid and member_id = $memberId::uuid and not opened`,
)

/**
 * Gives the member's id, new or known. The name is that of the latest sign-in or signature; a sign-in that is null
 * keeps the last one.
 */
export const upsertMember = defineStatement<
  { member_id: string },
  { memberId: string; mac: Buffer; name: string | null; signedInAt: Date | null; at: Date }
>(
  'members.upsert',
  `insert into members (member_id, personal_number_mac, name, last_sign_in_at, created_at)
   values ($memberId::uuid, $mac::bytea, $name::text, $signedInAt::timestamptz, $at::timestamptz)
   on conflict (personal_number_mac) do update set name = coalesce(excluded.name, members.name),
     last_sign_in_at = coalesce(excluded.last_sign_in_at, members.last_sign_in_at)
   returning member_id`,
)

export const selectMemberByMac = defineStatement<{ member_id: string; name: string | null }, { mac: Buffer }>(
  'members.select-by-mac',
  `select member_id, name from members where personal_number_mac = $mac::bytea`,
)

export const selectMember = defineStatement<{ personal_number_mac: Buffer }, { memberId: string }>(
  'members.select',
  `select personal_number_mac from members where member_id = $memberId::uuid`,
)

/**
 * A row if the person is a member of no company and has signed nothing that one keeps. Until the transaction ends they do not
 * become a member of one.
 */
export const lockFormerMember = defineStatement<{ member_id: string }, { memberId: string }>(
  'members.lock-former',
  `select member_id from members
   where member_id = $memberId::uuid
     and not exists (select from memberships where memberships.member_id = $memberId::uuid)
     and not exists (
       select from signatures where signatures.member_id = $memberId::uuid and signatures.company_id is not null
     )
   for update`,
)

/** Leaves a row that no person is found by, to which what they did in other companies refers. */
export const eraseMember = defineStatement<never, { memberId: string; noMac: Buffer }>(
  'members.erase',
  `update members set personal_number_mac = $noMac::bytea, name = null, last_sign_in_at = null
   where member_id = $memberId::uuid`,
)

export const updateRole = defineStatement<never, { companyId: string; memberId: string; role: Role }>(
  'members.update-role',
  `update memberships set role = $role::text
   where company_id = $companyId::uuid and member_id = $memberId::uuid`,
)

export const deleteMembership = defineStatement<never, { companyId: string; memberId: string }>(
  'members.delete-membership',
  `delete from memberships where company_id = $companyId::uuid and member_id = $memberId::uuid`,
)
