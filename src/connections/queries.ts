import { defineStatement } from '../database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'
import type { ConnectionKind, CredentialKind, ServicePermission } from './connection.ts'

export interface ConnectionRow {
  connection_id: string
  company_id: string
  source_id: string | null
  source_name: string | null
  name: string
  kind: ConnectionKind
  credential_kind: CredentialKind
  permissions: ServicePermission[]
  client_id: string | null
  made_by: string | null
  made_by_name: string | null
  /** Whether its maker still is a member of the company. */
  maker_is_member: boolean
  made_at: Date
  signature_id: string | null
  signed_at: Date | null
  expires_at: Date | null
  revoked_at: Date | null
  /** Pairs of company id and name, by name. */
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

const connectionColumns = `c.connection_id, c.company_id, c.source_id, s.name as source_name, c.name, c.kind,
     c.credential_kind, c.permissions, c.client_id, c.made_by, maker.name as made_by_name,
     membership.member_id is not null as maker_is_member, c.made_at, c.signature_id, c.signed_at, c.expires_at,
     c.revoked_at,
     coalesce((
       select json_agg(json_build_object('company_id', f.company_id, 'orgnr', f.orgnr, 'name', f.name)
         order by f.name, f.company_id)
       from connection_companies further join companies f using (company_id)
       where further.connection_id = c.connection_id
     ), '[]'::json) as further_companies,
     (
       select max(k.ends_at) from credentials k
       where k.connection_id = c.connection_id and k.ends_at > $1::timestamptz
     ) as previous_ends_at`
const connectionTables = `connections c
     left join sources s on s.company_id = c.company_id and s.source_id = c.source_id
     left join members maker on maker.member_id = c.made_by
     left join memberships membership
       on membership.company_id = c.company_id and membership.member_id = c.made_by`

export const selectConnection = defineStatement<
  ConnectionRow,
  [at: Date, companyId: string, connectionId: string]
>(
  'connections.select',
  `select ${connectionColumns}
   from ${connectionTables}
   where c.company_id = $2::uuid and c.connection_id = $3::uuid`,
)

/** Newest first: version 7 ids grow with time. */
export const selectConnections = defineStatement<
  ConnectionRow & WithinBytes,
  [at: Date, companyId: string, before: string | null, limit: number]
>(
  'connections.select_all',
  withinBytes(`select ${connectionColumns}
   from ${connectionTables}
   where c.company_id = $2::uuid and ($3::uuid is null or c.connection_id < $3::uuid)
   order by c.connection_id desc
   limit $4::integer`),
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
