import { defineStatement } from '../database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'
import type { AppPermission } from '../access/app-permissions.ts'
import type { EndedBy } from './app-connection.ts'

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
  ended_by: EndedBy | null
  last_called_at: Date | null
}

const connectionColumns = `c.connection_id, c.member_id, c.client_id, c.client_name, c.redirect_host, c.permissions,
     c.every_company, c.resources, c.consented_at, c.expires_at, c.ended_at, c.ended_by,
     case when c.every_company then '[]'::json else coalesce((
       select json_agg(json_build_object('company_id', f.company_id, 'orgnr', f.orgnr, 'name', f.name)
         order by f.name, f.company_id)
       from app_connection_companies chosen join companies f using (company_id)
       where chosen.connection_id = c.connection_id
     ), '[]'::json) end as chosen,
     (
       select called_at from app_calls where connection_id = c.connection_id order by call_id desc limit 1
     ) as last_called_at`

/** A member's, newest first: version 7 ids grow with time. */
export const selectAppConnections = defineStatement<
  AppConnectionRow & WithinBytes,
  [memberId: string, before: string | null, limit: number]
>(
  'app_connections.select_all',
  withinBytes(`select ${connectionColumns}
   from app_connections c
   where c.member_id = $1::uuid and ($2::uuid is null or c.connection_id < $2::uuid)
   order by c.connection_id desc
   limit $3::integer`),
)

/** What an app may still do for anybody, newest first. */
export const selectActiveOfApp = defineStatement<
  AppConnectionRow & WithinBytes,
  [clientId: string, now: Date, before: string | null, limit: number]
>(
  'app_connections.select_active_of_app',
  withinBytes(`select ${connectionColumns}
   from app_connections c
   where c.client_id = $1::text and c.ended_at is null and c.expires_at > $2::timestamptz
     and ($3::uuid is null or c.connection_id < $3::uuid)
   order by c.connection_id desc
   limit $4::integer`),
)

/** Of this member, or with null whosever it is. */
export const selectAppConnection = defineStatement<
  AppConnectionRow,
  [connectionId: string, memberId: string | null]
>(
  'app_connections.select',
  `select ${connectionColumns}
   from app_connections c
   where c.connection_id = $1::uuid and ($2::uuid is null or c.member_id = $2::uuid)`,
)

/** Changes nothing where it has ended, or its time is over. */
export const markEnded = defineStatement<
  never,
  [connectionId: string, memberId: string | null, endedAt: Date, endedBy: EndedBy]
>(
  'app_connections.mark_ended',
  `update app_connections
   set ended_at = $3::timestamptz, ended_by = $4::text
   where connection_id = $1::uuid and ($2::uuid is null or member_id = $2::uuid)
     and ended_at is null and expires_at > $3::timestamptz`,
)

/** Everything that an app may still do, for anybody. */
export const markAppEnded = defineStatement<never, [clientId: string, endedAt: Date]>(
  'app_connections.mark_app_ended',
  `update app_connections
   set ended_at = $2::timestamptz, ended_by = 'operator'
   where client_id = $1::text and ended_at is null and expires_at > $2::timestamptz`,
)

export const selectIsOwn = defineStatement<{ own: boolean }, [connectionId: string, memberId: string]>(
  'app_connections.select_is_own',
  `select true as own from app_connections where connection_id = $1::uuid and member_id = $2::uuid`,
)

/** All or nothing. Written again after a commit that nobody was told of, the same calls are a unique violation. */
export const insertCalls = defineStatement<
  never,
  [
    connectionIds: Buffer,
    callIds: Buffer,
    companyIds: Buffer,
    methods: Buffer,
    paths: Buffer,
    statuses: Buffer,
    codes: Buffer,
    instants: Buffer,
  ]
>(
  'app_connections.insert_calls',
  `insert into app_calls (connection_id, call_id, company_id, method, path, status, code, called_at)
   select connection_id, call_id, company_id, method, path, status, code, called_at
   from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::timestamptz[])
     as called (connection_id, call_id, company_id, method, path, status, code, called_at)`,
)

export interface AppCallRow {
  call_id: string
  /** Null where the call was about no company. */
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
  [connectionId: string, before: string | null, limit: number]
>(
  'app_connections.select_calls',
  `select called.call_id, companies.company_id, companies.orgnr, companies.name, called.method, called.path,
     called.status, called.code, called.called_at
   from app_calls called
   left join companies on companies.company_id = called.company_id
   where called.connection_id = $1::uuid and ($2::uuid is null or called.call_id < $2::uuid)
   order by called.call_id desc
   limit $3::integer`,
)

/**
 * At most $2 of the calls whose ids are below $1. Only connections whose ids are below it too can have such. What another
 * process deletes right now is left to it.
 */
export const deleteCallsBelow = defineStatement<never, [id: string, limit: number]>(
  'app_connections.delete_calls_below',
  `delete from app_calls
   where (connection_id, call_id) in (
     select old.connection_id, old.call_id
     from app_connections c
     cross join lateral (
       select called.connection_id, called.call_id
       from app_calls called
       where called.connection_id = c.connection_id and called.call_id < $1::uuid
       order by called.call_id
       limit $2::integer
       for update skip locked
     ) old
     where c.connection_id < $1::uuid
     limit $2::integer
   )`,
)
