import { defineStatement } from '../../platform/database/define-statement.ts'
import { freshnessSql } from '../../people/companies/freshness.ts'

/** Owners of a company that are named: if there are more, those added first. */
const namedOwnersMax = 20

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

/** Companies whose freshness one answer shows: if there are more, the first by name. */
export const freshCompaniesMax = 100
/** Sources that are checked for it, over all these companies together. */
export const freshSourcesMax = 1_000

const freshnessOfChecked = freshnessSql({
  companyId: 'checked.company_id',
  sourceId: 'checked.source_id',
  pausedAt: 'checked.paused_at',
})

/**
 * How many sources of each company are late at `$at` (`freshness.ts`), and when it last received something: in the order
 * of the ids, of which there are at most `freshCompaniesMax`, for at most `freshSourcesMax` sources together.
 */
export const selectFreshness = defineStatement<
  { company_id: string; sources: number; late: number; last_received_at: Date | null },
  { companyIds: string[]; at: Date }
>(
  'companies.select-freshness',
  `select checked.company_id, count(*)::integer as sources,
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
   ) as checked
   cross join lateral ${freshnessOfChecked} as freshness
   group by checked.place, checked.company_id
   order by checked.place
   limit ${freshCompaniesMax}`,
)
