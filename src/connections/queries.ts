import { defineStatement } from '../database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'
import type { ConnectionKind, CredentialKind, ServicePermission } from './connection.ts'

export interface ConnectionRow {
  connection_id: string
  company_id: string
  company_orgnr: string
  company_name: string
  source_id: string | null
  source_name: string | null
  name: string
  kind: ConnectionKind
  credential_kind: CredentialKind
  permissions: ServicePermission[]
  client_id: string | null
  made_by: string | null
  made_by_name: string | null
  /** Whether its maker is a member of the company that asks. */
  maker_is_member: boolean
  made_at: Date
  signature_id: string | null
  signed_at: Date | null
  expires_at: Date | null
  revoked_at: Date | null
  /** Those that it acts on now, by name. */
  further_companies: { company_id: string; orgnr: string; name: string }[]
  /** When the credential before the current one ends; null where none still works. */
  previous_ends_at: Date | null
}

export const insertConnection = defineStatement<
  never,
  [
    companyId: string,
    connectionId: string,
    sourceId: string | null,
    name: string,
    kind: ConnectionKind,
    credentialKind: CredentialKind,
    permissions: string[],
    clientId: string | null,
    madeBy: string | null,
    madeAt: Date,
    signedAt: Date | null,
  ]
>(
  'connections.insert',
  `insert into connections
     (company_id, connection_id, source_id, name, kind, credential_kind, permissions, client_id, made_by, made_at,
      signed_at)
   values ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::text, $7::text[], $8::text, $9::uuid,
     $10::timestamptz, $11::timestamptz)`,
)

export const insertFurtherCompanies = defineStatement<never, [connectionId: string, companyIds: string[]]>(
  'connections.insert_further_companies',
  `insert into connection_companies (connection_id, company_id)
   select $1::uuid, company_id from unnest($2::uuid[]) as further (company_id)`,
)

export const deleteFurtherCompany = defineStatement<never, [memberId: string, companyId: string]>(
  'connections.delete_further_company',
  `delete from connection_companies further
   using connections c
   where c.connection_id = further.connection_id and c.made_by = $1::uuid and further.company_id = $2::uuid`,
)

export const insertCredential = defineStatement<
  never,
  [credentialHash: Buffer, connectionId: string, kind: 'static' | 'secret', createdAt: Date]
>(
  'connections.insert_credential',
  `insert into credentials (credential_hash, connection_id, kind, created_at)
   values ($1::bytea, $2::uuid, $3::text, $4::timestamptz)`,
)
/** The current credential works until $2; one that had an end already ends now ($3). */
export const endCredentials = defineStatement<never, [connectionId: string, endsAt: Date, now: Date]>(
  'connections.end_credentials',
  `update credentials
   set ends_at = case when ends_at is null then $2::timestamptz else least(ends_at, $3::timestamptz) end
   where connection_id = $1::uuid`,
)

/*
 * A connection as a company sees it: $1 is the instant, $2 the company. Its own company sees all of it. To another one
 * that it acts on it shows itself alone among the further companies, and nothing that leads to the rest: no client id, and
 * no signature, whose text names every one.
 */
const connectionColumns = `c.connection_id, c.company_id, home.orgnr as company_orgnr, home.name as company_name,
     c.source_id, s.name as source_name, c.name, c.kind, c.credential_kind, c.permissions,
     case when c.company_id = $2::uuid then c.client_id end as client_id, c.made_by, maker.name as made_by_name,
     membership.member_id is not null as maker_is_member, c.made_at,
     case when c.company_id = $2::uuid then c.signature_id end as signature_id, c.signed_at, c.expires_at,
     c.revoked_at,
     coalesce((
       select json_agg(json_build_object('company_id', f.company_id, 'orgnr', f.orgnr, 'name', f.name)
         order by f.name, f.company_id)
       from connection_companies further
       join companies f using (company_id)
       join memberships manages on manages.company_id = further.company_id and manages.member_id = c.made_by
         and manages.role in ('owner', 'developer')
       where further.connection_id = c.connection_id
         and (c.company_id = $2::uuid or further.company_id = $2::uuid)
     ), '[]'::json) as further_companies,
     (
       select max(k.ends_at) from credentials k
       where k.connection_id = c.connection_id and k.ends_at > $1::timestamptz
     ) as previous_ends_at`
const itsTables = `join companies home on home.company_id = c.company_id
     left join sources s on s.company_id = c.company_id and s.source_id = c.source_id
     left join members maker on maker.member_id = c.made_by
     left join memberships membership on membership.company_id = $2::uuid and membership.member_id = c.made_by`

/** Of the company itself. */
export const selectConnection = defineStatement<
  ConnectionRow,
  [at: Date, companyId: string, connectionId: string]
>(
  'connections.select',
  `select ${connectionColumns}
   from connections c
     ${itsTables}
   where c.company_id = $2::uuid and c.connection_id = $3::uuid`,
)

/** Of another company, and acts on this one. */
export const selectFurtherConnection = defineStatement<
  ConnectionRow,
  [at: Date, companyId: string, connectionId: string]
>(
  'connections.select_further',
  `select ${connectionColumns}
   from connections c
     ${itsTables}
   where c.connection_id = $3::uuid and membership.role in ('owner', 'developer')
     and exists (
       select from connection_companies acts
       where acts.connection_id = $3::uuid and acts.company_id = $2::uuid
     )`,
)

/** No id of version 7 comes after it. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Newest first: version 7 ids grow with time. With $5 also those of other companies that act on this one. Of either no
 * more than a page is looked at.
 */
export const selectConnections = defineStatement<
  ConnectionRow & WithinBytes,
  [at: Date, companyId: string, before: string | null, limit: number, withFurther: boolean]
>(
  'connections.select_all',
  withinBytes(`with listed as materialized (
     (
       select own.connection_id
       from connections own
       where own.company_id = $2::uuid and own.connection_id < coalesce($3::uuid, '${lastId}'::uuid)
       order by own.connection_id desc
       limit $4::integer
     )
     union all
     (
       select acts.connection_id
       from connection_companies acts
       join connections other on other.connection_id = acts.connection_id
       join memberships manages on manages.company_id = acts.company_id and manages.member_id = other.made_by
         and manages.role in ('owner', 'developer')
       where $5::boolean and acts.company_id = $2::uuid and acts.connection_id < coalesce($3::uuid, '${lastId}'::uuid)
       order by acts.connection_id desc
       limit $4::integer
     )
     order by connection_id desc
     limit $4::integer
   )
   select ${connectionColumns}
   from listed
     join connections c on c.connection_id = listed.connection_id
     ${itsTables}
   order by c.connection_id desc
   limit all`),
)

/** No row where the connection does not act on the company as a further one. */
export const deleteActingCompany = defineStatement<
  { connection_id: string },
  [connectionId: string, companyId: string]
>(
  'connections.delete_acting_company',
  `delete from connection_companies
   where connection_id = $1::uuid and company_id = $2::uuid
   returning connection_id`,
)

/** One change of a connection at a time. */
export const lockConnection = defineStatement<
  { connection_id: string },
  [companyId: string, connectionId: string]
>(
  'connections.lock',
  `select connection_id from connections
   where company_id = $1::uuid and connection_id = $2::uuid
   for no key update`,
)

/** No row where it is signed or revoked already: of two signatures one counts. */
export const markSigned = defineStatement<
  { connection_id: string },
  [companyId: string, connectionId: string, signatureId: string, signedAt: Date, expiresAt: Date]
>(
  'connections.mark_signed',
  `update connections
   set signature_id = $3::uuid, signed_at = $4::timestamptz, expires_at = $5::timestamptz
   where company_id = $1::uuid and connection_id = $2::uuid and signed_at is null and revoked_at is null
   returning connection_id`,
)

/** No row where it is revoked already. */
export const markRevoked = defineStatement<
  { connection_id: string },
  [companyId: string, connectionId: string, at: Date, revokedBy: string | null]
>(
  'connections.mark_revoked',
  `update connections
   set revoked_at = $3::timestamptz, revoked_by = $4::uuid
   where company_id = $1::uuid and connection_id = $2::uuid and revoked_at is null
   returning connection_id`,
)

/** The demo connection of a source, if it has one. */
export const selectDemoConnection = defineStatement<
  { connection_id: string },
  [companyId: string, sourceId: string]
>(
  'connections.select_demo',
  `select connection_id from connections
   where company_id = $1::uuid and source_id = $2::uuid and kind = 'demo' and revoked_at is null
   order by connection_id
   limit 1`,
)

/** One credential of a published connection: it opens this one from now on, wherever it was before. */
export const upsertCredential = defineStatement<
  never,
  [credentialHash: Buffer, connectionId: string, createdAt: Date]
>(
  'connections.upsert_credential',
  `insert into credentials (credential_hash, connection_id, kind, created_at)
   values ($1::bytea, $2::uuid, 'static', $3::timestamptz)
   on conflict (credential_hash) do update set connection_id = excluded.connection_id, ends_at = null`,
)

export const endOtherCredentials = defineStatement<
  never,
  [connectionId: string, credentialHash: Buffer, at: Date]
>(
  'connections.end_other_credentials',
  `update credentials set ends_at = $3::timestamptz
   where connection_id = $1::uuid and credential_hash <> $2::bytea and ends_at is null`,
)
