import { defineStatement } from '../../platform/database/define-statement.ts'
import { selectsFromTable } from '../../platform/database/schemas.ts'
import { withinBytes, type WithinBytes } from '../../platform/database/within-bytes.ts'
import { highestUuid } from '../../formats/values/uuidv7.ts'
import type { AppPermission } from '../../people/access/app-permissions.ts'

export interface CompanyNameRow {
  company_id: string
  orgnr: string
  name: string
}

export interface AppConnectionRow {
  connection_id: string
  member_id: string
  client_id: string
  client_name: string
  redirect_host: string
  permissions: AppPermission[]
  every_company: boolean
  /** By name. */
  chosen: CompanyNameRow[]
  resources: string[]
  consented_at: Date
  expires_at: Date
  ended_at: Date | null
  ended_by: 'member' | 'operator' | 'expiry' | null
  last_called_at: Date | null
}

const connectionColumns = `app_connections.connection_id, app_connections.member_id, app_connections.client_id,
     app_connections.client_name, app_connections.redirect_host, app_connections.permissions,
     app_connections.every_company, app_connections.resources, app_connections.consented_at,
     app_connections.expires_at, app_connections.ended_at, app_connections.ended_by,
     case when app_connections.every_company then '[]'::json else coalesce((
       select json_agg(
         json_build_object('company_id', companies.company_id, 'orgnr', companies.orgnr, 'name', companies.name)
         order by companies.name, companies.company_id
       )
       from app_connection_companies chosen join companies using (company_id)
       where chosen.connection_id = app_connections.connection_id
     ), '[]'::json) end as chosen,
     (
       select called_at from app_calls
       where app_calls.connection_id = app_connections.connection_id
       order by call_id desc
       limit 1
     ) as last_called_at`

/** The connections of a member, newest first: version 7 ids grow with time. */
export const selectAppConnections = defineStatement<
  AppConnectionRow & WithinBytes,
  { memberId: string; before: string | null; limit: number }
>(
  'app-connections.select-all',
  withinBytes(`select ${connectionColumns}
   from app_connections
   where app_connections.member_id = $memberId::uuid
     and app_connections.connection_id < coalesce($before::uuid, '${highestUuid}'::uuid)
   order by app_connections.connection_id desc
   limit $limit::integer`),
)

/** The active connections of an app, newest first. */
export const selectActiveOfApp = defineStatement<
  AppConnectionRow & WithinBytes,
  { clientId: string; now: Date; before: string | null; limit: number }
>(
  'app-connections.select-active-of-app',
  withinBytes(`select ${connectionColumns}
   from app_connections
   where app_connections.client_id = $clientId::text and app_connections.ended_at is null
     and app_connections.expires_at > $now::timestamptz
     and app_connections.connection_id < coalesce($before::uuid, '${highestUuid}'::uuid)
   order by app_connections.connection_id desc
   limit $limit::integer`),
)

/** A connection of the member; of any member if `$memberId` is null. */
export const selectAppConnection = defineStatement<
  AppConnectionRow,
  { connectionId: string; memberId: string | null }
>(
  'app-connections.select',
  `select ${connectionColumns}
   from app_connections
   where app_connections.connection_id = $connectionId::uuid
     and ($memberId::uuid is null or app_connections.member_id = $memberId::uuid)`,
)

/** Changes nothing if it has ended or expired. */
export const markEnded = defineStatement<
  never,
  { connectionId: string; memberId: string | null; endedAt: Date; endedBy: 'member' | 'operator' }
>(
  'app-connections.mark-ended',
  `update app_connections
   set ended_at = $endedAt::timestamptz, ended_by = $endedBy::text
   where connection_id = $connectionId::uuid and ($memberId::uuid is null or member_id = $memberId::uuid)
     and ended_at is null and expires_at > $endedAt::timestamptz`,
)

/** All active connections of an app. */
export const markAppEnded = defineStatement<never, { clientId: string; endedAt: Date }>(
  'app-connections.mark-app-ended',
  `update app_connections
   set ended_at = $endedAt::timestamptz, ended_by = 'operator'
   where client_id = $clientId::text and ended_at is null and expires_at > $endedAt::timestamptz`,
)

export const selectIsOwn = defineStatement<{ own: boolean }, { connectionId: string; memberId: string }>(
  'app-connections.select-is-own',
  `select true as own from app_connections where connection_id = $connectionId::uuid and member_id = $memberId::uuid`,
)

/** All or nothing. Repeating it after an unconfirmed commit is a unique violation. */
export const insertCalls = defineStatement<
  never,
  {
    connectionIds: Buffer
    callIds: Buffer
    companyIds: Buffer
    methods: Buffer
    paths: Buffer
    statuses: Buffer
    codes: Buffer
    instants: Buffer
  }
>(
  'app-connections.insert-calls',
  `insert into app_calls (connection_id, call_id, company_id, method, path, status, code, called_at)
   select connection_id, call_id, company_id, method, path, status, code, called_at
   from unnest($connectionIds::uuid[], $callIds::uuid[], $companyIds::uuid[], $methods::text[], $paths::text[],
     $statuses::integer[], $codes::text[], $instants::timestamptz[])
     as called (connection_id, call_id, company_id, method, path, status, code, called_at)
   where ${selectsFromTable}`,
)

interface AppCallRow {
  call_id: string
  /** Null if the call was not about a company. */
  company_id: string | null
  orgnr: string
  name: string
  method: string
  path: string
  status: number
  code: string | null
  called_at: Date
}

/** Newest first. */
export const selectCalls = defineStatement<
  AppCallRow,
  { connectionId: string; before: string | null; limit: number }
>(
  'app-connections.select-calls',
  `select app_calls.call_id, companies.company_id, companies.orgnr, companies.name, app_calls.method, app_calls.path,
     app_calls.status, app_calls.code, app_calls.called_at
   from app_calls
   left join companies on companies.company_id = app_calls.company_id
   where app_calls.connection_id = $connectionId::uuid
     and app_calls.call_id < coalesce($before::uuid, '${highestUuid}'::uuid)
   order by app_calls.call_id desc
   limit $limit::integer`,
)

/**
 * Deletes at most `$limit` of the calls whose ids are below `$id`, which only connections with ids below it can have. Skips
 * those that another process is deleting.
 */
export const deleteCallsBelow = defineStatement<never, { id: string; limit: number }>(
  'app-connections.delete-calls-below',
  `delete from app_calls
   where (connection_id, call_id) in (
     select old.connection_id, old.call_id
     from app_connections
     cross join lateral (
       select app_calls.connection_id, app_calls.call_id
       from app_calls
       where app_calls.connection_id = app_connections.connection_id and app_calls.call_id < $id::uuid
       order by app_calls.call_id
       limit $limit::integer
       for update skip locked
     ) old
     where app_connections.connection_id < $id::uuid
     limit $limit::integer
   )`,
)

/** Latest calls of an app connection that are searched for its last one about a company. */
const lookedAtCallsMax = 1_000

export interface CompanyAppRow {
  connection_id: string
  client_id: string
  client_name: string
  redirect_host: string
  member_id: string
  member_name: string | null
  permissions: AppPermission[]
  every_company: boolean
  consented_at: Date
  expires_at: Date
  last_called_at: Date | null
}

/**
 * Apps that may read a company now, for any of its members, newest first. An app that may read all companies of a member is listed
 * only after the member has opened this one: otherwise adding a personal number would reveal which apps the person uses.
 */
export const selectAppsOfCompany = defineStatement<
  CompanyAppRow,
  { companyId: string; before: string | null; limit: number; at: Date }
>(
  'app-connections.select-of-company',
  `select reading.connection_id, reading.client_id, reading.client_name, reading.redirect_host, reading.member_id,
     members.name as member_name, reading.permissions, reading.every_company, reading.consented_at,
     reading.expires_at,
     (
       select max(latest.called_at)
       from (
         select app_calls.called_at, app_calls.company_id
         from app_calls
         where app_calls.connection_id = reading.connection_id
         order by app_calls.call_id desc
         limit ${lookedAtCallsMax}
       ) as latest
       where latest.company_id = $companyId::uuid
     ) as last_called_at
   from (
     select app_connections.connection_id, app_connections.client_id, app_connections.client_name,
       app_connections.redirect_host, app_connections.member_id, app_connections.permissions,
       app_connections.every_company, app_connections.consented_at, app_connections.expires_at
     from memberships
       join app_connections on app_connections.member_id = memberships.member_id and app_connections.ended_at is null
     where memberships.company_id = $companyId::uuid and app_connections.expires_at > $at::timestamptz
       and ($before::uuid is null or app_connections.connection_id < $before::uuid)
       and (
         (app_connections.every_company and memberships.opened)
         or exists (
           select from app_connection_companies chosen
           where chosen.connection_id = app_connections.connection_id and chosen.company_id = $companyId::uuid
         )
       )
     order by app_connections.connection_id desc
     limit $limit::integer
   ) as reading
     join members on members.member_id = reading.member_id
   order by reading.connection_id desc
   limit all`,
)

/** A connection that may read a company now, as {@link selectAppsOfCompany} lists it. */
export const selectAppOfCompany = defineStatement<
  Pick<CompanyAppRow, 'client_name' | 'member_id' | 'member_name'>,
  { companyId: string; connectionId: string; at: Date }
>(
  'app-connections.select-one-of-company',
  `select app_connections.client_name, app_connections.member_id, members.name as member_name
   from app_connections
     join memberships on memberships.company_id = $companyId::uuid
       and memberships.member_id = app_connections.member_id
     join members on members.member_id = app_connections.member_id
   where app_connections.connection_id = $connectionId::uuid and app_connections.ended_at is null
     and app_connections.expires_at > $at::timestamptz
     and (
       (app_connections.every_company and memberships.opened)
       or exists (
         select from app_connection_companies chosen
         where chosen.connection_id = app_connections.connection_id and chosen.company_id = $companyId::uuid
       )
     )`,
)

/** No longer every company of the member; a row if it was. */
export const narrowToChosen = defineStatement<{ connection_id: string }, { connectionId: string }>(
  'app-connections.narrow-to-chosen',
  `update app_connections
   set every_company = false
   where connection_id = $connectionId::uuid and every_company
   returning connection_id`,
)

/** Chooses the companies that the member has opened, all but one: others must not be listed with the app. */
export const chooseOtherCompanies = defineStatement<never, { connectionId: string; companyId: string }>(
  'app-connections.choose-others',
  `insert into app_connection_companies (connection_id, company_id)
   select app_connections.connection_id, memberships.company_id
   from app_connections
     join memberships on memberships.member_id = app_connections.member_id
   where app_connections.connection_id = $connectionId::uuid and memberships.opened
     and memberships.company_id <> $companyId::uuid
   on conflict do nothing`,
)

export const deleteChosenCompany = defineStatement<never, { connectionId: string; companyId: string }>(
  'app-connections.delete-chosen',
  `delete from app_connection_companies
   where connection_id = $connectionId::uuid and company_id = $companyId::uuid`,
)
