import { boolArray, byteaArray, textArray } from '../../platform/database/binary-array.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { referenceClientId } from '../../platform/http/docs-origin.ts'
import type { CallerKind } from './admission.ts'
import type { ReachedLimit } from './reached-limit.ts'
import type { Role } from './role.ts'

/** The credential of a call, and the company that it names. */
export interface CredentialCall {
  credentialHash: Buffer
  /** It has the form of a token, which apps have too. */
  mayBeApp: boolean
  /** The stored digits; null if the call names no company, or something that is not an organisation number. */
  orgnr: string | null
  /** The call comes from the API reference. */
  fromDocs: boolean
  /** The client's network, with the demo credential: its buckets are by network. */
  network: string | null
}

/** What is known of a call's credential: nulls if nothing. */
export interface CallerRow {
  connection_id: string | null
  kind: CallerKind
  /** Of an app's token: those that its connection still has. */
  permissions: string[]
  /** Of an app's token only: for whom it acts, which app it is, and the member's present role in the company. */
  member_id?: string
  client_id?: string
  /** What the token is for in addition to, or instead of, this service (RFC 8707). */
  resources?: string[]
  role?: Role | null
  bound_source_id: string | null
  /** How many further companies the connection acts on now. For an app, 1 means any number. */
  further_companies: number
  company_id: string | null
  shard: number
  orgnr: string
  company_name: string
  time_zone: string
  /** The limit that the company has reached. Not looked up for apps, which store nothing. */
  over_limit?: ReachedLimit | null
  /** Whose bucket the call consumes from; null if none. */
  subject: string | null
}

/*
 * Both lookups give one row for each call, in order. A call has a subject, and so consumes a token, if it is authenticated and
 * not refused because it comes from the API reference. They only read: Citus plans such a statement once per connection.
 */

/** The parameters of both lookups. */
function toParameters(calls: readonly CredentialCall[], nowMs: number) {
  return {
    credentialHashes: byteaArray(calls.map((call) => call.credentialHash)),
    orgnrs: textArray(calls.map((call) => call.orgnr)),
    fromDocs: boolArray(calls.map((call) => call.fromDocs)),
    at: new Date(nowMs).toISOString(),
  }
}

type Parameters = ReturnType<typeof toParameters>

/*
 * A credential opens a connection if it is a static one not ended by a rotation, or an unexpired token; the connection must be
 * signed (the demo connection never is), not revoked, not expired.
 */
const lookUpConnectionsStatement = defineStatement<CallerRow, Parameters & { networks: Buffer }>(
  'access.look-up-connections',
  `
  with called as materialized (
    select
      requested.call, requested.orgnr,
      connections.connection_id, connections.company_id, connections.source_id as bound_source_id,
      connections.kind, connections.permissions, connections.created_by,
      case
        when connections.connection_id is null then null
        when connections.kind = 'production' and requested.from_docs then null
        when connections.kind = 'demo' then 'demo ' || coalesce(requested.network, 'unknown')
        else 'connection ' || connections.connection_id
      end as subject
    from unnest(
      $credentialHashes::bytea[], $orgnrs::text[], $fromDocs::boolean[], $networks::text[]
    )
      with ordinality as requested (credential_hash, orgnr, from_docs, network, call)
    left join lateral (
      select credentials.connection_id
      from credentials
      where credentials.credential_hash = requested.credential_hash and credentials.kind = 'static'
        and (credentials.ends_at is null or credentials.ends_at > $at::timestamptz)
      union all
      select tokens.connection_id
      from tokens
      where tokens.token_hash = requested.credential_hash and tokens.expires_at > $at::timestamptz
    ) opened on true
    left join connections on connections.connection_id = opened.connection_id
      and connections.revoked_at is null
      and case connections.kind
        when 'demo' then connections.expires_at is null or connections.expires_at > $at::timestamptz
        else connections.signed_at is not null and connections.expires_at > $at::timestamptz
      end
  )
  select
    called.connection_id, called.kind, called.permissions, called.bound_source_id,
    further.companies as further_companies,
    company.company_id, company.shard, company.orgnr, company.name as company_name, company.time_zone,
    company.over_limit,
    called.subject
  from called
  left join lateral (
    select count(*)::integer as companies
    from connection_companies
    join memberships on memberships.company_id = connection_companies.company_id
      and memberships.member_id = called.created_by and memberships.role in ('owner', 'developer')
    where connection_companies.connection_id = called.connection_id
      and connection_companies.company_id <> called.company_id
  ) further on true
  left join lateral (
    select companies.company_id, companies.shard, companies.orgnr, companies.name, companies.time_zone, companies.over_limit
    from companies
    where companies.company_id = case
        when called.orgnr is null then called.company_id
        else (select named.company_id from companies as named where named.orgnr = called.orgnr)
      end
      and (
        companies.company_id = called.company_id
        or exists (
          select
          from connection_companies
          join memberships on memberships.company_id = connection_companies.company_id
            and memberships.member_id = called.created_by and memberships.role in ('owner', 'developer')
          where connection_companies.connection_id = called.connection_id
            and connection_companies.company_id = companies.company_id
        )
      )
    -- There is at most one. Because of the limit it is looked up by its key, and not searched among all companies.
    limit 1
  ) company on true
  order by called.call`,
)

/**
 * Looks up what each call's credential opens for a service connection. Tokens of apps have a
 * statement of their own: in this one they would make the lookup of every push a tenth slower.
 */
export function lookUpConnections(
  on: Queryable,
  calls: readonly CredentialCall[],
  nowMs: number,
): Promise<CallerRow[]> {
  return lookUpConnectionsStatement.rows(on, {
    ...toParameters(calls, nowMs),
    networks: textArray(calls.map((call) => call.network)),
  })
}

/*
 * A token opens what a member allows the app: neither may be revoked, ended or expired. It acts on those of the companies that
 * the member chose, or on every company, of which they are a member now; the role comes from that membership.
 */
const lookUpAppsStatement = defineStatement<CallerRow, Parameters>(
  'access.look-up-apps',
  `
  with called as materialized (
    select
      requested.call, requested.orgnr,
      active.connection_id, active.permissions, active.resources, active.member_id, active.client_id, active.every_company,
      case
        when not requested.from_docs or active.client_id = '${referenceClientId}' then 'connection ' || active.connection_id
      end as subject
    from unnest($credentialHashes::bytea[], $orgnrs::text[], $fromDocs::boolean[])
      with ordinality as requested (token_hash, orgnr, from_docs, call)
    left join lateral (
      select app_connections.connection_id, app_connections.member_id, app_connections.client_id,
        app_connections.every_company, app_tokens.resources,
        case
          when app_tokens.permissions = app_connections.permissions then app_tokens.permissions
          else array(
            select granted.permission from unnest(app_tokens.permissions) as granted (permission)
            where granted.permission = any (app_connections.permissions)
          )
        end as permissions
      from app_tokens
      join app_connections on app_connections.connection_id = app_tokens.connection_id
      where app_tokens.token_hash = requested.token_hash and app_tokens.kind = 'access'
        and app_tokens.revoked_at is null and app_tokens.expires_at > $at::timestamptz
        and app_connections.ended_at is null and app_connections.expires_at > $at::timestamptz
      limit 1
    ) active on true
  )
  select
    called.connection_id, case when called.connection_id is not null then 'delegated' end as kind,
    called.permissions, called.resources, called.member_id, called.client_id, null::uuid as bound_source_id,
    case when cardinality(covered.company_ids) > 1 then 1 else 0 end as further_companies,
    company.company_id, company.role, company.shard, company.orgnr, company.name as company_name, company.time_zone,
    called.subject
  from called
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
    select companies.company_id, companies.shard, companies.orgnr, companies.name, companies.time_zone, memberships.role
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
  order by called.call`,
)

/** Looks up what each call's token opens for an app. */
export function lookUpApps(
  on: Queryable,
  calls: readonly CredentialCall[],
  nowMs: number,
): Promise<CallerRow[]> {
  return lookUpAppsStatement.rows(on, toParameters(calls, nowMs))
}

export interface CallableCompanyRow {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
}

/** Companies that one answer lists: of more, the first by number. */
export const callableCompaniesMax = 10_000

/** The companies that a connection acts on now: its own and the further ones. */
export const readCallableCompanies = defineStatement<CallableCompanyRow, { connectionId: string }>(
  'access.read-callable-companies',
  `
  select companies.company_id, companies.orgnr, companies.name, companies.time_zone
  from connections
  join companies on companies.company_id = connections.company_id
  where connections.connection_id = $connectionId::uuid
  union
  select companies.company_id, companies.orgnr, companies.name, companies.time_zone
  from connections
  join connection_companies on connection_companies.connection_id = connections.connection_id
  join memberships on memberships.company_id = connection_companies.company_id
    and memberships.member_id = connections.created_by and memberships.role in ('owner', 'developer')
  join companies on companies.company_id = connection_companies.company_id
  where connections.connection_id = $connectionId::uuid
  order by orgnr
  limit ${callableCompaniesMax}`,
)

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
