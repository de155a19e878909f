import { defineStatement } from '../../platform/database/define-statement.ts'
import { fromAccess } from '../../platform/database/schemas.ts'
import type { Role } from '../access/role.ts'
import { companyColumns, type CompanyRow } from './company.ts'

/**
 * Places the company in the shard with most room: that would hold least if each company grew to the average size. No row
 * if the number is taken.
 */
export const insertCompany = defineStatement<
  CompanyRow,
  { companyId: string; orgnr: string; name: string; timeZone: string; at: Date }
>(
  'companies.insert',
  `with inserted as (
     insert into companies (company_id, shard, orgnr, name, time_zone, created_at)
     select $companyId::uuid, shards.shard, $orgnr::text, $name::text, $timeZone::text, $at::timestamptz
     from shards
     cross join (
       select sum(counted.stored_bytes) / greatest(sum(counted.companies), 1) as bytes from shards as counted
     ) as average
     order by shards.stored_bytes + shards.companies * average.bytes, shards.companies, shards.shard
     limit 1
     on conflict (orgnr) do nothing
     returning ${companyColumns}
   ),
   counted as (
     update shards set companies = companies + 1
     where shard in (select inserted.shard from inserted)
   )
   select ${companyColumns} from inserted as companies`,
)

/** Changes nothing for less than a hundredth: on Citus each node has a copy. */
export const setStoredBytes = defineStatement<never, { shard: number; storedBytes: number }>(
  'companies.set-stored-bytes',
  `update shards set stored_bytes = $storedBytes::int8
   where shard = $shard::int4 and abs(stored_bytes - $storedBytes::int8) > stored_bytes / 100`,
)

export const selectCompany = defineStatement<CompanyRow, { companyId: string }>(
  'companies.select',
  `select ${companyColumns} from companies where company_id = $companyId::uuid`,
)

export const selectCompanyByOrgnr = defineStatement<CompanyRow, { orgnr: string }>(
  'companies.select-by-orgnr',
  `select ${companyColumns} from companies where orgnr = $orgnr::text`,
)

export const selectCompanies = defineStatement<CompanyRow, { after: string | null; limit: number }>(
  'companies.select-all',
  `select ${companyColumns}
   from companies
   where ($after::uuid is null or company_id > $after::uuid)
   order by company_id
   limit $limit::integer`,
)

/**
 * One transaction at a time: without it two owners could remove each other simultaneously, and two members could both
 * create the last connection that the company may have.
 */
export const lockCompanyId = defineStatement<never, { companyId: string }>(
  'companies.lock',
  `select pg_advisory_xact_lock(hashtextextended($companyId::uuid::text, 7862693119)) ${fromAccess}`,
)

/** Companies of one member that are listed: of more, the first by name. */
const companiesOfMemberMax = 10_000

export const selectCompaniesOfMember = defineStatement<
  CompanyRow & { role: Role; deletes_at: Date | null },
  { memberId: string }
>(
  'companies.select-of-member',
  `select ${companyColumns}, memberships.role, company_deletions.deletes_at
   from memberships join companies using (company_id)
     left join company_deletions on company_deletions.company_id = companies.company_id
   where memberships.member_id = $memberId::uuid
   order by companies.name, companies.company_id
   limit ${companiesOfMemberMax}`,
)

/** The numbers between two that companies have, both included. */
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

/** A deployment has at most this many; each has connections of its own. */
const shardsMax = 1_000

/** The shards of the deployment, in order. */
export const selectShards = defineStatement<{ shard: number; companies: number }, Record<string, never>>(
  'companies.select-shards',
  `select shard, companies from shards order by shard limit ${shardsMax}`,
)

/** No row if there is no such company. */
export const selectShardOfCompany = defineStatement<{ shard: number }, { companyId: string }>(
  'companies.select-shard',
  `select shard from companies where company_id = $companyId::uuid`,
)

/** A row if the deletion has both its signatures. */
export const selectIsToBeDeleted = defineStatement<{ deletes_at: Date }, { companyId: string }>(
  'companies.select-is-to-be-deleted',
  `select deletes_at from company_deletions where company_id = $companyId::uuid and scheduled_at is not null`,
)

export const updateFiscalYear = defineStatement<never, { companyId: string; month: number }>(
  'companies.update-fiscal-year',
  `update companies set fiscal_year_month = $month::int4 where company_id = $companyId::uuid`,
)

/** Fails while something refers to the company. */
export const deleteCompanyRow = defineStatement<{ shard: number }, { companyId: string }>(
  'companies.delete',
  `delete from companies where company_id = $companyId::uuid returning shard`,
)
