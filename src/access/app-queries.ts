import { boolArray, byteaArray, int4Array, textArray, uuidArray } from '../database/binary-array.ts'
import { defineStatement } from '../database/define-statement.ts'
import type { Queryable } from '../database/pool.ts'
import type { Role } from './role.ts'
import { callableCompaniesMax, type CallableCompanyRow, type CallerRow, type CallGroup } from './queries.ts'
import { refill } from '../rate-limit/refill.ts'
import { intervalUs, type BucketRate } from '../rate-limit/bucket.ts'

/*
 * One row for each group, in order, as of a service connection (`queries.ts`). A token opens what a member allows the app:
 * neither may be revoked, ended or expired. It acts on the companies that the member chose, or on every one, as far as they
 * are a member now; the role comes from that membership.
 */
const lookUpAppsStatement = defineStatement<CallerRow>(
  'access.look_up_apps',
  `
  with called as materialized (
    select
      asked.call, asked.orgnr, asked.source_id as asked_source_id, asked.calls,
      active.connection_id, active.permissions, active.member_id, active.client_id, active.every_company,
      case when not asked.from_docs then 'connection ' || active.connection_id end as subject
    from unnest($1::bytea[], $2::text[], $3::uuid[], $4::boolean[], $5::integer[])
      with ordinality as asked (credential_hash, orgnr, source_id, from_docs, calls, call)
    left join lateral (
      select app_connections.connection_id, app_connections.member_id, app_connections.client_id,
        app_connections.every_company,
        case
          when app_tokens.permissions = app_connections.permissions then app_tokens.permissions
          else array(
            select held.permission from unnest(app_tokens.permissions) as held (permission)
            where held.permission = any (app_connections.permissions)
          )
        end as permissions
      from app_tokens
      join app_connections on app_connections.connection_id = app_tokens.connection_id
      where app_tokens.token_hash = asked.credential_hash and app_tokens.kind = 'access'
        and app_tokens.revoked_at is null and app_tokens.expires_at > $6::timestamptz
        and app_connections.ended_at is null and app_connections.expires_at > $6::timestamptz
      limit 1
    ) active on true
  ),
  taken as (
    insert into rate_buckets as bucket (subject, full_at_us, granted, burst, interval_us)
    select
      subject, $7::bigint + least(sum(calls), $8::integer) * $9::bigint, least(sum(calls), $8::integer), $8::integer,
      $9::bigint
    from called
    where subject is not null
    group by subject
    order by subject
    ${refill('$7::bigint')}
    returning bucket.subject, bucket.full_at_us, bucket.granted
  )
  select
    called.connection_id, case when called.connection_id is not null then 'delegated' end as kind,
    called.permissions, called.member_id, called.client_id, null::uuid as bound_source_id,
    case when cardinality(covered.company_ids) > 1 then 1 else 0 end as further_companies,
    company.company_id, company.role, company.orgnr, company.name as company_name, company.time_zone,
    sources.source_id, sources.name as source_name, sources.delivery_way, sources.document_form,
    shapes.delivers, sources.shape_version, sources.paused_at is not null as paused, sources.projection_id, projections.samples_version,
    called.subject, taken.full_at_us, taken.granted
  from called
  left join taken on taken.subject = called.subject
  -- For a call that names no company: the one that is covered, or two of several.
  left join lateral (
    select array(
      select memberships.company_id
      from memberships
      where called.every_company and memberships.member_id = called.member_id
      union all
      select memberships.company_id
      from app_connection_companies chosen
      join memberships on memberships.company_id = chosen.company_id and memberships.member_id = called.member_id
      where not called.every_company and chosen.connection_id = called.connection_id
      limit 2
    ) as company_ids
    where called.orgnr is null
    limit 1
  ) covered on true
  -- There is one at most; said, so that each is looked up by its key.
  left join lateral (
    select companies.company_id, companies.orgnr, companies.name, companies.time_zone, memberships.role
    from companies
    join memberships on memberships.company_id = companies.company_id and memberships.member_id = called.member_id
    left join app_connection_companies chosen on chosen.connection_id = called.connection_id
      and chosen.company_id = companies.company_id
    where companies.company_id = case
        when called.orgnr is null then case cardinality(covered.company_ids) when 1 then covered.company_ids[1] end
        else (select named.company_id from companies named where named.orgnr = called.orgnr)
      end
      and (called.every_company or chosen.company_id is not null)
    limit 1
  ) company on true
  -- The only source of a company need not be named.
  left join lateral (
    select case count(*) when 1 then (array_agg(two.source_id))[1] end as source_id
    from (
      select of_company.source_id
      from sources of_company
      where called.asked_source_id is null and of_company.company_id = company.company_id
      limit 2
    ) as two
  ) only_source on true
  left join sources on sources.company_id = company.company_id
    and sources.source_id = coalesce(called.asked_source_id, only_source.source_id)
  left join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
    and shapes.shape_version = sources.shape_version
  left join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  order by called.call`,
)

/** Looks up what each group's token opens as an app's, and takes its tokens. Rows are in the order of the groups. */
export function lookUpApps(
  on: Queryable,
  groups: readonly CallGroup[],
  rate: BucketRate,
  nowMs: number,
): Promise<CallerRow[]> {
  return lookUpAppsStatement.rows(on, [
    byteaArray(groups.map((group) => group.credentialHash)),
    textArray(groups.map((group) => group.orgnr)),
    uuidArray(groups.map((group) => group.sourceId)),
    boolArray(groups.map((group) => group.fromDocs)),
    int4Array(groups.map((group) => group.calls)),
    new Date(nowMs).toISOString(),
    nowMs * 1_000,
    rate.burst,
    intervalUs(rate),
  ])
}

const readCoveredCompaniesStatement = defineStatement<CallableCompanyRow & { role: Role }>(
  'access.read_covered_companies',
  `
  select companies.company_id, companies.orgnr, companies.name, companies.time_zone, memberships.role
  from app_connections
  join memberships on memberships.member_id = app_connections.member_id
  join companies on companies.company_id = memberships.company_id
  where app_connections.connection_id = $1::uuid
    and (app_connections.every_company or exists (
      select
      from app_connection_companies chosen
      where chosen.connection_id = app_connections.connection_id and chosen.company_id = memberships.company_id
    ))
  order by companies.orgnr
  limit ${callableCompaniesMax}`,
)

/** The companies that a member lets an app read, as far as they are a member now, and as what. */
export async function readCoveredCompanies(
  on: Queryable,
  connectionId: string,
): Promise<(CallableCompanyRow & { role: Role })[]> {
  return readCoveredCompaniesStatement.rows(on, [connectionId])
}
