import type { Role } from './role.ts'
import { boolArray, byteaArray, int4Array, textArray, uuidArray } from '../database/binary-array.ts'
import { defineStatement } from '../database/define-statement.ts'
import { expiredRowsMax } from '../database/expired-rows.ts'
import type { Queryable } from '../database/pool.ts'
import type { Delivers } from '../sources/declaration.ts'
import type { DocumentFormat } from '../sources/source.ts'
import type { ReachedLimit } from './reached-limit.ts'
import type { CallerKind } from './admission.ts'
import { refill } from '../rate-limit/refill.ts'
import { intervalUs, type BucketRate, type ConsumedRow } from '../rate-limit/bucket.ts'

/** Calls that present the same credential and ask for the same things. */
export interface CallGroup {
  credentialHash: Buffer
  /** It has the form of a token, as apps hold too. */
  mayBeApp: boolean
  /** The kept digits, or null where the call names none, or names what is no organisation number. */
  orgnr: string | null
  /** The source asked for, or null where the call names none, or names what is no uuid. */
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
  delivery_way: 'push' | 'webhook'
  document_form: DocumentFormat | null
  delivers: Delivers
  shape_version: number
  paused: boolean
  projection_id: number
  samples_version: string
  /** The bucket after the statement (`token-bucket.ts`), null for a group that takes no tokens. */
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
 * written in order, so that two processes deadlock.
 */
const lookUpCallersStatement = defineStatement<CallerRow>(
  'access.look_up_callers',
  `
  with called as materialized (
    select
      asked.call, asked.orgnr, asked.source_id as asked_source_id, asked.from_docs, asked.calls,
      connections.connection_id, connections.company_id, connections.source_id as bound_source_id,
      connections.kind, connections.permissions, connections.made_by,
      case
        when connections.connection_id is null then null
        when connections.kind = 'production' and asked.from_docs then null
        when connections.kind = 'demo' then 'demo ' || coalesce(asked.network, 'unknown')
        else 'connection ' || connections.connection_id
      end as subject
    from unnest($1::bytea[], $2::text[], $3::uuid[], $4::boolean[], $5::text[], $6::integer[])
      with ordinality as asked (credential_hash, orgnr, source_id, from_docs, network, calls, call)
    left join lateral (
      select credentials.connection_id
      from credentials
      where credentials.credential_hash = asked.credential_hash and credentials.kind = 'static'
        and (credentials.ends_at is null or credentials.ends_at > $7::timestamptz)
      union all
      select tokens.connection_id
      from tokens
      where tokens.token_hash = asked.credential_hash and tokens.expires_at > $7::timestamptz
    ) opened on true
    left join connections on connections.connection_id = opened.connection_id
      and connections.revoked_at is null
      and case connections.kind
        when 'demo' then connections.expires_at is null or connections.expires_at > $7::timestamptz
        else connections.signed_at is not null and connections.expires_at > $7::timestamptz
      end
  ),
  taken as (
    insert into rate_buckets as bucket (subject, full_at_us, granted, burst, interval_us)
    select
      subject, $8::bigint + least(sum(calls), burst) * interval_us, least(sum(calls), burst), burst, interval_us
    from (
      select
        subject, calls,
        case kind when 'demo' then $11::integer else $9::integer end as burst,
        case kind when 'demo' then $12::bigint else $10::bigint end as interval_us
      from called
      where subject is not null
    ) as metered
    group by subject, burst, interval_us
    order by subject
    ${refill('$8::bigint')}
    returning bucket.subject, bucket.full_at_us, bucket.granted
  )
  select
    called.connection_id, called.kind, called.permissions, called.bound_source_id,
    further.companies as further_companies,
    company.company_id, company.orgnr, company.name as company_name, company.time_zone, company.over_limit,
    sources.source_id, sources.name as source_name, sources.delivery_way, sources.document_form,
    shapes.delivers, sources.shape_version, sources.paused_at is not null as paused, sources.projection_id, projections.samples_version,
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
        else (select named.company_id from companies named where named.orgnr = called.orgnr)
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
    -- There is one at most; said, it is looked up by its key, and not found among all companies.
    limit 1
  ) company on true
  left join sources on sources.company_id = company.company_id
    and sources.source_id = coalesce(called.asked_source_id, called.bound_source_id)
  left join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
    and shapes.shape_version = sources.shape_version
  left join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  order by called.call`,
)

export interface AccessRates {
  connection: BucketRate
  /** By client network. */
  demo: BucketRate
}

/**
 * Looks up what each group's credential opens, and takes its tokens. Rows are in the order of the groups. Tokens of apps
 * are looked up by a statement of their own (`app-queries.ts`): in one with this they would cost every push a tenth of it.
 */
export function lookUpCallers(
  on: Queryable,
  groups: readonly CallGroup[],
  rates: AccessRates,
  nowMs: number,
): Promise<CallerRow[]> {
  return lookUpCallersStatement.rows(on, [
    byteaArray(groups.map((group) => group.credentialHash)),
    textArray(groups.map((group) => group.orgnr)),
    uuidArray(groups.map((group) => group.sourceId)),
    boolArray(groups.map((group) => group.fromDocs)),
    textArray(groups.map((group) => group.network)),
    int4Array(groups.map((group) => group.calls)),
    new Date(nowMs).toISOString(),
    nowMs * 1_000,
    rates.connection.burst,
    intervalUs(rates.connection),
    rates.demo.burst,
    intervalUs(rates.demo),
  ])
}

const consumeStatement = defineStatement<{ subject: string; full_at_us: string; granted: number }>(
  'access.consume',
  `
  insert into rate_buckets as bucket (subject, full_at_us, granted, burst, interval_us)
  select
    asked.subject, $3::bigint + least(asked.calls, $4::integer) * $5::bigint, least(asked.calls, $4::integer),
    $4::integer, $5::bigint
  from unnest($1::text[], $2::integer[]) as asked (subject, calls)
  order by asked.subject
  ${refill('$3::bigint')}
  returning bucket.subject, bucket.full_at_us, bucket.granted`,
)

/**
 * Takes up to as many tokens of each subject's bucket as it has calls, in the arithmetic of `token-bucket.ts`. Subjects
 * are written in order, so that two processes deadlock.
 */
export async function consumeOfSubjects(
  on: Queryable,
  callsBySubject: ReadonlyMap<string, number>,
  rate: BucketRate,
  nowMs: number,
): Promise<Map<string, ConsumedRow>> {
  const rows = await consumeStatement.rows(on, [
    textArray([...callsBySubject.keys()]),
    int4Array([...callsBySubject.values()]),
    nowMs * 1_000,
    rate.burst,
    intervalUs(rate),
  ])
  return new Map(rows.map((row) => [row.subject, { fullAtUs: Number(row.full_at_us), granted: row.granted }]))
}

const deleteFullBucketsStatement = defineStatement(
  'access.delete_full_buckets',
  `
  delete from rate_buckets
  where subject in (
    select subject from rate_buckets where full_at_us < $1::bigint limit $2::integer for update skip locked
  )`,
)

/**
 * Deletes buckets that are full, at most `expiredRowsMax`, and says how many: one never used is full too. One that a call
 * takes from right now is left alone: calls lock buckets in an order that a scan of the table does not keep, so waiting could
 * be a deadlock.
 */
export async function deleteFullBuckets(on: Queryable, nowMs: number): Promise<number> {
  return (await deleteFullBucketsStatement.run(on, [nowMs * 1_000, expiredRowsMax])).rowCount ?? 0
}

export interface CallableCompanyRow {
  company_id: string
  orgnr: string
  name: string
  time_zone: string
}

/** Companies that one answer lists: of more, the first by number. */
export const callableCompaniesMax = 10_000

const readCallableCompaniesStatement = defineStatement<CallableCompanyRow>(
  'access.read_callable_companies',
  `
  select companies.company_id, companies.orgnr, companies.name, companies.time_zone
  from connections
  join companies on companies.company_id = connections.company_id
  where connections.connection_id = $1::uuid
  union
  select companies.company_id, companies.orgnr, companies.name, companies.time_zone
  from connections
  join connection_companies on connection_companies.connection_id = connections.connection_id
  join memberships on memberships.company_id = connection_companies.company_id
    and memberships.member_id = connections.made_by and memberships.role in ('owner', 'developer')
  join companies on companies.company_id = connection_companies.company_id
  where connections.connection_id = $1::uuid
  order by orgnr
  limit ${callableCompaniesMax}`,
)

/** The companies that a connection acts on now: its own and the further ones. */
export async function readCallableCompanies(
  on: Queryable,
  connectionId: string,
): Promise<CallableCompanyRow[]> {
  return readCallableCompaniesStatement.rows(on, [connectionId])
}
