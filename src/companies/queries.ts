import { defineStatement } from '../database/define-statement.ts'
import type { Role } from '../access/role.ts'
import { freshnessOf } from './freshness.ts'

export interface CompanyRow {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
  created_at: Date
}

/** No row where the number is taken. */
export const insertCompany = defineStatement<
  CompanyRow,
  { companyId: string; orgnr: string; name: string; timeZone: string; at: Date }
>(
  'companies.insert',
  `insert into companies (company_id, orgnr, name, time_zone, created_at)
   values ($companyId::uuid, $orgnr::text, $name::text, $timeZone::text, $at::timestamptz)
   on conflict (orgnr) do nothing
   returning company_id, orgnr, name, time_zone, created_at`,
)

export const selectCompany = defineStatement<CompanyRow, { companyId: string }>(
  'companies.select',
  `select company_id, orgnr, name, time_zone, created_at from companies where company_id = $companyId::uuid`,
)

export const selectCompanyByOrgnr = defineStatement<CompanyRow, { orgnr: string }>(
  'companies.select-by-orgnr',
  `select company_id, orgnr, name, time_zone, created_at from companies where orgnr = $orgnr::text`,
)

export const selectCompanies = defineStatement<CompanyRow, { after: string | null; limit: number }>(
  'companies.select-all',
  `select company_id, orgnr, name, time_zone, created_at
   from companies
   where ($after::uuid is null or company_id > $after::uuid)
   order by company_id
   limit $limit::integer`,
)

/**
 * One at a time: without it two owners could remove each other in the same moment, and two members who make something
 * could both take the last place.
 */
export const lockCompanyRow = defineStatement<{ company_id: string }, { companyId: string }>(
  'companies.lock',
  `select company_id from companies where company_id = $companyId::uuid for no key update`,
)

export const selectCompanyForMember = defineStatement<
  CompanyRow & { role: Role; opened: boolean },
  { companyId: string; memberId: string }
>(
  'companies.select-for-member',
  `select companies.company_id, companies.orgnr, companies.name, companies.time_zone, companies.created_at,
     memberships.role, memberships.opened
   from memberships join companies using (company_id)
   where memberships.company_id = $companyId::uuid and memberships.member_id = $memberId::uuid`,
)

/** From now on the company knows the person by name. */
export const markOpened = defineStatement<never, { companyId: string; memberId: string }>(
  'companies.mark-opened',
  `update memberships set opened = true
   where company_id = $companyId::uuid and member_id = $memberId::uuid and not opened`,
)

/**
 * As `selectCompanyForMember`, and the membership neither ends nor changes before the transaction is over: a change of
 * it waits, and after such a change its outcome is seen here.
 */
export const holdCompanyForMember = defineStatement<
  CompanyRow & { role: Role; opened: boolean },
  { companyId: string; memberId: string }
>(
  'companies.hold-for-member',
  `select companies.company_id, companies.orgnr, companies.name, companies.time_zone, companies.created_at,
     memberships.role, memberships.opened
   from memberships join companies using (company_id)
   where memberships.company_id = $companyId::uuid and memberships.member_id = $memberId::uuid
   for share of memberships`,
)

/** Companies of one member that are listed: of more, the first by name. */
export const companiesOfMemberMax = 10_000

export const selectCompaniesOfMember = defineStatement<CompanyRow & { role: Role }, { memberId: string }>(
  'companies.select-of-member',
  `select companies.company_id, companies.orgnr, companies.name, companies.time_zone, companies.created_at,
     memberships.role
   from memberships join companies using (company_id)
   where memberships.member_id = $memberId::uuid
   order by companies.name, companies.company_id
   limit ${companiesOfMemberMax}`,
)

/**
 * Gives the member's id, new or known. The name is that of the latest sign-in or signature; a sign-in that is null
 * leaves the last one.
 */
export const upsertMember = defineStatement<
  { member_id: string },
  { memberId: string; mac: Buffer; name: string | null; signedInAt: Date | null; at: Date }
>(
  'companies.upsert-member',
  `insert into members (member_id, personal_number_mac, name, last_sign_in_at, created_at)
   values ($memberId::uuid, $mac::bytea, $name::text, $signedInAt::timestamptz, $at::timestamptz)
   on conflict (personal_number_mac) do update set name = coalesce(excluded.name, members.name),
     last_sign_in_at = coalesce(excluded.last_sign_in_at, members.last_sign_in_at)
   returning member_id`,
)

export const selectMemberByMac = defineStatement<{ member_id: string; name: string | null }, { mac: Buffer }>(
  'companies.select-member-by-mac',
  `select member_id, name from members where personal_number_mac = $mac::bytea`,
)

export const selectMember = defineStatement<{ personal_number_mac: Buffer }, { memberId: string }>(
  'companies.select-member',
  `select personal_number_mac from members where member_id = $memberId::uuid`,
)

/** Owners of a company that are named; of more, those that were added first. */
export const namedOwnersMax = 20

export const selectOwners = defineStatement<
  { member_id: string; name: string | null },
  { companyId: string }
>(
  'companies.select-owners',
  `select memberships.member_id, case when memberships.opened then members.name end as name
   from memberships join members using (member_id)
   where memberships.company_id = $companyId::uuid and memberships.role = 'owner'
   order by memberships.added_at, memberships.member_id
   limit ${namedOwnersMax}`,
)

/** Companies whose freshness one answer says: of more, the first by name. */
export const freshCompaniesMax = 100
/** Sources that are looked at for it, of all these companies together. */
export const freshSourcesMax = 1_000

const freshnessOfLookedAt = freshnessOf({
  companyId: 'looked_at.company_id',
  sourceId: 'looked_at.source_id',
  pausedAt: 'looked_at.paused_at',
})

/**
 * How many sources of each company are late at `$at` (`freshness.ts`), and when it last received something: in the order
 * of the ids, which are at most `freshCompaniesMax`, of sources that are `freshSourcesMax` together.
 */
export const selectFreshness = defineStatement<
  { company_id: string; sources: number; late: number; last_received_at: Date | null },
  { companyIds: string[]; at: Date }
>(
  'companies.select-freshness',
  `select looked_at.company_id, count(*)::integer as sources,
     (count(*) filter (where freshness.late))::integer as late,
     max(freshness.last_received_at) as last_received_at
   from (
     select named.place, named.company_id, of_company.source_id, of_company.paused_at
     from unnest($companyIds::uuid[]) with ordinality as named (company_id, place)
     cross join lateral (
       select sources.source_id, sources.paused_at
       from sources
       where sources.company_id = named.company_id
       order by sources.source_id
       limit ${freshSourcesMax}
     ) as of_company
     order by named.place, of_company.source_id
     limit ${freshSourcesMax}
   ) as looked_at
   cross join lateral ${freshnessOfLookedAt} as freshness
   group by looked_at.place, looked_at.company_id
   order by looked_at.place
   limit ${freshCompaniesMax}`,
)

/** The numbers between two that are companies' already, both included. */
export const selectOrgnrsBetween = defineStatement<
  { orgnr: string },
  { first: string; last: string; max: number }
>(
  'companies.select-orgnrs-between',
  `select orgnr from companies
   where orgnr >= $first::text and orgnr <= $last::text and length(orgnr) = 10
   order by orgnr
   limit $max::integer`,
)
