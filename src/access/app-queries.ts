import type { Rate } from '../config/config.ts'
import { boolArray, byteaArray, int4Array, textArray, uuidArray } from '../database/binary-array.ts'
import { defineStatement } from '../database/define-statement.ts'
import type { Queryable } from '../database/pool.ts'
import type { Role } from './role.ts'
import { callableCompaniesMax, type CallableCompanyRow, type CallerRow, type CallGroup } from './queries.ts'
import { referenceClientId } from '../http/docs-origin.ts'
import { refill } from '../rate-limit/refill.ts'
import { intervalUs } from '../rate-limit/bucket.ts'

/*
 * One row for each group, in order, as for a service connection (`queries.ts`). A token opens what a member allows the
 * app: neither may be revoked, ended or expired. It acts on those companies that the member chose, or on every one, of
 * which they are a member now; the role comes from that membership.
 */
const lookUpAppsStatement = defineStatement<
  CallerRow,
  {
    tokenHashes: Buffer
    orgnrs: Buffer
    sourceIds: Buffer
    fromDocs: Buffer
    calls: Buffer
    at: string
    nowUs: number
    burst: number
    intervalUs: number
  }
>(
  'access.look-up-apps',
  `
  with called as materialized (
    select
      requested.call, requested.orgnr, requested.source_id as requested_source_id, requested.calls,
      active.connection_id, active.permissions, active.member_id, active.client_id, active.every_company,
      case
        when not requested.from_docs or active.client_id = '${referenceClientId}' then 'connection ' || active.connection_id
      end as subject
    from unnest(
      $tokenHashes::bytea[], $orgnrs::text[], $sourceIds::uuid[], $fromDocs::boolean[], $calls::integer[]
    )
      with ordinality as requested (token_hash, orgnr, source_id, from_docs, calls, call)
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
      where app_tokens.token_hash = requested.token_hash and app_tokens.kind = 'access'
        and app_tokens.revoked_at is null and app_tokens.expires_at > $at::timestamptz
        and app_connections.ended_at is null and app_connections.expires_at > $at::timestamptz
      limit 1
    ) active on true
  ),
  taken as (
    insert into rate_buckets as bucket (subject, full_at_us, granted, burst, interval_us)
    select
      subject, $nowUs::bigint + least(sum(calls), $burst::integer) * $intervalUs::bigint,
      least(sum(calls), $burst::integer), $burst::integer, $intervalUs::bigint
    from called
    where subject is not null
    group by subject
    order by subject
    ${refill('$nowUs::bigint')}
    returning bucket.subject, bucket.full_at_us, bucket.granted
  )
  select
    called.connection_id, case when called.connection_id is not null then 'delegated' end as kind,
    called.permissions, called.member_id, called.client_id, null::uuid as bound_source_id,
    case when cardinality(covered.company_ids) > 1 then 1 else 0 end as further_companies,
    company.company_id, company.role, company.orgnr, company.name as company_name, company.time_zone,
    sources.source_id, sources.name as source_name, sources.delivery_way, sources.document_form,
    shapes.delivers, sources.shape_version, sources.paused_at is not null as paused, sources.projection_id,
    projections.samples_version,
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
      from app_connection_companies as chosen
      join memberships on memberships.company_id = chosen.company_id and memberships.member_id = called.member_id
      where not called.every_company and chosen.connection_id = called.connection_id
      limit 2
    ) as company_ids
    where called.orgnr is null
    limit 1
  ) covered on true
  -- There is at most one. Because of the limit it is looked up by its key.
  left join lateral (
    select companies.company_id, companies.orgnr, companies.name, companies.time_zone, memberships.role
    from companies
    join memberships on memberships.company_id = companies.company_id and memberships.member_id = called.member_id
    left join app_connection_companies as chosen on chosen.connection_id = called.connection_id
      and chosen.company_id = companies.company_id
    where companies.company_id = case
        when called.orgnr is null then case cardinality(covered.company_ids) when 1 then covered.company_ids[1] end
        else (select named.company_id from companies as named where named.orgnr = called.orgnr)
      end
      and (called.every_company or chosen.company_id is not null)
    limit 1
  ) company on true
  -- The only source of a company need not be named.
  left join lateral (
    select case count(*) when 1 then (array_agg(two.source_id))[1] end as source_id
    from (
      select of_company.source_id
      from sources as of_company
      where called.requested_source_id is null and of_company.company_id = company.company_id
      limit 2
    ) as two
  ) only_source on true
  left join sources on sources.company_id = company.company_id
    and sources.source_id = coalesce(called.requested_source_id, only_source.source_id)
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
  rate: Rate,
  nowMs: number,
): Promise<CallerRow[]> {
  return lookUpAppsStatement.rows(on, {
    tokenHashes: byteaArray(groups.map((group) => group.credentialHash)),
    orgnrs: textArray(groups.map((group) => group.orgnr)),
    sourceIds: uuidArray(groups.map((group) => group.sourceId)),
    fromDocs: boolArray(groups.map((group) => group.fromDocs)),
    calls: int4Array(groups.map((group) => group.calls)),
    at: new Date(nowMs).toISOString(),
    nowUs: nowMs * 1_000,
    burst: rate.burst,
    intervalUs: intervalUs(rate),
  })
}

/** The companies that a member lets an app read and is a member of now, with their role in each. */
export const readCoveredCompanies = defineStatement<
  CallableCompanyRow & { role: Role },
  { connectionId: string }
>(
  'access.read-covered-companies',
  `
  select companies.company_id, companies.orgnr, companies.name, companies.time_zone, memberships.role
  from app_connections
  join memberships on memberships.member_id = app_connections.member_id
  join companies on companies.company_id = memberships.company_id
  where app_connections.connection_id = $connectionId::uuid
    and (app_connections.every_company or exists (
      select
      from app_connection_companies as chosen
      where chosen.connection_id = app_connections.connection_id and chosen.company_id = memberships.company_id
    ))
  order by companies.orgnr
  limit ${callableCompaniesMax}`,
)
