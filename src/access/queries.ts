import type { Role } from './role.ts'
import { boolArray, byteaArray, int4Array, textArray, uuidArray } from '../database/binary-array.ts'
import { defineStatement } from '../database/define-statement.ts'
import type { Queryable } from '../database/pool.ts'
import type { ReachedLimit } from './reached-limit.ts'
import type { AdmittedSource, CallerKind } from './admission.ts'
import { refill } from '../rate-limit/refill.ts'
import { intervalUs } from '../rate-limit/bucket.ts'
import type { Rate } from '../config/config.ts'

/** Calls that present the same credential and ask for the same things. */
export interface CallGroup {
  credentialHash: Buffer
  /** It has the form of a token, which apps hold too. */
  mayBeApp: boolean
  /** The stored digits, or null where the call names none, or something that is not an organisation number. */
  orgnr: string | null
  /** The source that is named, or null where the call names none, or something that is not a UUID. */
  sourceId: string | null
  /** The calls come from the API reference. */
  fromDocs: boolean
  /** The client's network where the demo credential is presented: its buckets are by network. */
  network: string | null
  calls: number
}

/** What is known of a group's credential, null where there is nothing. */
export interface CallerRow {
  connection_id: string | null
  kind: CallerKind
  /** Of an app's token: those of the token that its connection holds too. */
  permissions: string[]
  /** Of an app's token alone: for whom it acts, which app it is, and what the member is in the company now. */
  member_id?: string
  client_id?: string
  role?: Role | null
  bound_source_id: string | null
  /** How many companies the connection acts on now beside the first. Of an app 1 stands for any number. */
  further_companies: number
  company_id: string | null
  orgnr: string
  company_name: string
  time_zone: string
  /** The limit that the company has reached. Not looked up for apps, which store nothing. */
  over_limit?: ReachedLimit | null
  source_id: string | null
  source_name: string
  delivery_way: AdmittedSource['deliveryWay']
  document_form: AdmittedSource['documentFormat']
  delivers: AdmittedSource['delivers']
  shape_version: number
  paused: boolean
  projection_id: number
  samples_version: string
  /** The bucket after the statement (`rate-limit/bucket.ts`), null for a group that takes no tokens. */
  subject: string | null
  full_at_us: string
  /** Tokens given to all groups of the same subject together. */
  granted: number
}

/*
 * One row for each group, in order. A credential opens a connection when it is a static one not ended by a rotation,
 * or an unexpired token; the connection must be signed (the demo connection never is), not revoked, not expired.
 *
 * A group takes tokens when it is authenticated and not refused for coming from the API reference. Subjects are
 * written in order, so that processes cannot deadlock.
 */
const lookUpCallersStatement = defineStatement<
  CallerRow,
  {
    credentialHashes: Buffer
    orgnrs: Buffer
    sourceIds: Buffer
    fromDocs: Buffer
    networks: Buffer
    calls: Buffer
    at: string
    nowUs: number
    burst: number
    intervalUs: number
    demoBurst: number
    demoIntervalUs: number
  }
>(
  'access.look-up-callers',
  `
  with called as materialized (
    select
      requested.call, requested.orgnr, requested.source_id as requested_source_id, requested.from_docs, requested.calls,
      connections.connection_id, connections.company_id, connections.source_id as bound_source_id,
      connections.kind, connections.permissions, connections.made_by,
      case
        when connections.connection_id is null then null
        when connections.kind = 'production' and requested.from_docs then null
        when connections.kind = 'demo' then 'demo ' || coalesce(requested.network, 'unknown')
        else 'connection ' || connections.connection_id
      end as subject
    from unnest(
      $credentialHashes::bytea[], $orgnrs::text[], $sourceIds::uuid[], $fromDocs::boolean[], $networks::text[],
      $calls::integer[]
    )
      with ordinality as requested (credential_hash, orgnr, source_id, from_docs, network, calls, call)
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
  ),
  taken as (
    insert into rate_buckets as bucket (subject, full_at_us, granted, burst, interval_us)
    select
      subject, $nowUs::bigint + least(sum(calls), burst) * interval_us, least(sum(calls), burst), burst, interval_us
    from (
      select
        subject, calls,
        case kind when 'demo' then $demoBurst::integer else $burst::integer end as burst,
        case kind when 'demo' then $demoIntervalUs::bigint else $intervalUs::bigint end as interval_us
      from called
      where subject is not null
    ) as metered
    group by subject, burst, interval_us
    order by subject
    ${refill('$nowUs::bigint')}
    returning bucket.subject, bucket.full_at_us, bucket.granted
  )
  select
    called.connection_id, called.kind, called.permissions, called.bound_source_id,
    further.companies as further_companies,
    company.company_id, company.orgnr, company.name as company_name, company.time_zone, company.over_limit,
    sources.source_id, sources.name as source_name, sources.delivery_way, sources.document_form,
    shapes.delivers, sources.shape_version, sources.paused_at is not null as paused, sources.projection_id,
    projections.samples_version,
    called.subject, taken.full_at_us, taken.granted
  from called
  left join taken on taken.subject = called.subject
  left join lateral (
    select count(*)::integer as companies
    from connection_companies
    join memberships on memberships.company_id = connection_companies.company_id
      and memberships.member_id = called.made_by and memberships.role in ('owner', 'developer')
    where connection_companies.connection_id = called.connection_id
      and connection_companies.company_id <> called.company_id
  ) further on true
  left join lateral (
    select companies.company_id, companies.orgnr, companies.name, companies.time_zone, companies.over_limit
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
            and memberships.member_id = called.made_by and memberships.role in ('owner', 'developer')
          where connection_companies.connection_id = called.connection_id
            and connection_companies.company_id = companies.company_id
        )
      )
    -- There is at most one. Because of the limit it is looked up by its key, and not searched among all companies.
    limit 1
  ) company on true
  left join sources on sources.company_id = company.company_id
    and sources.source_id = coalesce(called.requested_source_id, called.bound_source_id)
  left join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
    and shapes.shape_version = sources.shape_version
  left join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  order by called.call`,
)

export interface AccessRates {
  connection: Rate
  /** By client network. */
  demo: Rate
}

/**
 * Looks up what each group's credential opens, and takes its tokens. Rows are in the order of the groups. Tokens of
 * apps are looked up by a statement of their own (`app-queries.ts`): in this one they would make every push's look-up a
 * tenth slower.
 */
export function lookUpCallers(
  on: Queryable,
  groups: readonly CallGroup[],
  rates: AccessRates,
  nowMs: number,
): Promise<CallerRow[]> {
  return lookUpCallersStatement.rows(on, {
    credentialHashes: byteaArray(groups.map((group) => group.credentialHash)),
    orgnrs: textArray(groups.map((group) => group.orgnr)),
    sourceIds: uuidArray(groups.map((group) => group.sourceId)),
    fromDocs: boolArray(groups.map((group) => group.fromDocs)),
    networks: textArray(groups.map((group) => group.network)),
    calls: int4Array(groups.map((group) => group.calls)),
    at: new Date(nowMs).toISOString(),
    nowUs: nowMs * 1_000,
    burst: rates.connection.burst,
    intervalUs: intervalUs(rates.connection),
    demoBurst: rates.demo.burst,
    demoIntervalUs: intervalUs(rates.demo),
  })
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
    and memberships.member_id = connections.made_by and memberships.role in ('owner', 'developer')
  join companies on companies.company_id = connection_companies.company_id
  where connections.connection_id = $connectionId::uuid
  order by orgnr
  limit ${callableCompaniesMax}`,
)
