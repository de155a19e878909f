import { defineStatement } from '../../platform/database/define-statement.ts'
import { selectsFromTable } from '../../platform/database/schemas.ts'
import { withinBytes, type WithinBytes } from '../../platform/database/within-bytes.ts'
import { highestUuid } from '../../formats/values/uuidv7.ts'
import type { ConnectionKind, ConnectionState, CredentialKind, ServicePermission } from './connection.ts'

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
  created_by: string | null
  created_by_name: string | null
  /** Whether its creator is a member of the reader's company. */
  maker_is_member: boolean
  created_at: Date
  signature_id: string | null
  signed_at: Date | null
  expires_at: Date | null
  /** The electronic identity that it was signed with. */
  provider: string | null
  revoked_at: Date | null
  revoked_by: string | null
  revoked_by_name: string | null
  /** Of its own company. */
  home_time_zone: string
  last_used_at: Date | null
  /** Those that work at the instant, newest first; instants in JSON form. */
  credentials: { last_four: string | null; created_at: string; ends_at: string | null }[]
  /** Those that it acts on now, by name. */
  further_companies: { company_id: string; orgnr: string; name: string }[]
  /** When the previous credential ends; null if none still works, and for owners of a further company. */
  previous_ends_at: Date | null
}

export const selectHasSource = defineStatement<{ found: boolean }, { companyId: string; sourceId: string }>(
  'connections.select-has-source',
  `select exists (
     select from source_names
     where source_names.source_id = $sourceId::uuid and source_names.company_id = $companyId::uuid
   ) as found`,
)

export const insertConnection = defineStatement<
  never,
  {
    companyId: string
    connectionId: string
    sourceId: string | null
    name: string
    kind: ConnectionKind
    credentialKind: CredentialKind
    permissions: string[]
    clientId: string | null
    createdBy: string | null
    createdAt: Date
    signedAt: Date | null
    expiresAt: Date | null
  }
>(
  'connections.insert',
  `insert into connections
     (company_id, connection_id, source_id, name, kind, credential_kind, permissions, client_id, created_by, created_at,
      signed_at, expires_at)
   values ($companyId::uuid, $connectionId::uuid, $sourceId::uuid, $name::text, $kind::text,
     $credentialKind::text, $permissions::text[], $clientId::text, $createdBy::uuid,
     $createdAt::timestamptz, $signedAt::timestamptz, $expiresAt::timestamptz)`,
)

export const insertFurtherCompanies = defineStatement<never, { connectionId: string; companyIds: string[] }>(
  'connections.insert-further-companies',
  `insert into connection_companies (connection_id, company_id)
   select $connectionId::uuid, company_id from unnest($companyIds::uuid[]) as further (company_id)
   where ${selectsFromTable}`,
)

export const deleteFurtherCompany = defineStatement<never, { memberId: string; companyId: string }>(
  'connections.delete-further-company',
  `delete from connection_companies further
   using connections
   where connections.connection_id = further.connection_id and connections.created_by = $memberId::uuid
     and further.company_id = $companyId::uuid`,
)

export const insertCredential = defineStatement<
  never,
  {
    credentialHash: Buffer
    connectionId: string
    kind: 'static' | 'secret'
    lastFour: string
    createdAt: Date
  }
>(
  'connections.insert-credential',
  `insert into credentials (credential_hash, connection_id, kind, last_four, created_at)
   values ($credentialHash::bytea, $connectionId::uuid, $kind::text, $lastFour::text, $createdAt::timestamptz)`,
)

/** Credentials of earlier rotations: at most one still works, and this ends it. */
export const deletePreviousCredentials = defineStatement<never, { connectionId: string }>(
  'connections.delete-previous-credentials',
  `delete from credentials where connection_id = $connectionId::uuid and ends_at is not null`,
)

/** The current credential works until `$endsAt`. */
export const endCurrentCredential = defineStatement<never, { connectionId: string; endsAt: Date }>(
  'connections.end-current-credential',
  `update credentials set ends_at = $endsAt::timestamptz
   where connection_id = $connectionId::uuid and ends_at is null`,
)

/*
 * A connection as a company sees it: `$at` is the instant, `$companyId` the company. Its own company sees all of it.
 * A further company sees only itself among the further companies, and nothing that leads to the
 * rest: no client id, no signature, whose text names every one, and not when it was used, which may be for others.
 */
const connectionColumns = `connections.connection_id, connections.company_id, home.orgnr as company_orgnr,
     home.name as company_name, connections.source_id, source_names.name as source_name, connections.name, connections.kind,
     connections.credential_kind, connections.permissions,
     case when connections.company_id = $companyId::uuid then connections.client_id end as client_id,
     connections.created_by, maker.name as created_by_name,
     membership.member_id is not null as maker_is_member, connections.created_at,
     case when connections.company_id = $companyId::uuid then connections.signature_id end as signature_id,
     connections.signed_at, connections.expires_at, connections.revoked_at,
     case when connections.company_id = $companyId::uuid then signature.provider end as provider,
     case when connections.company_id = $companyId::uuid then connections.revoked_by end as revoked_by,
     revoker.name as revoked_by_name, home.time_zone as home_time_zone,
     case when connections.company_id = $companyId::uuid then used.last_used_at end as last_used_at,
     coalesce((
       select json_agg(
         json_build_object(
           'last_four', working.last_four, 'created_at', working.created_at, 'ends_at', working.ends_at
         )
         order by working.created_at desc
       )
       from credentials working
       where working.connection_id = connections.connection_id and connections.company_id = $companyId::uuid
         and (working.ends_at is null or working.ends_at > $at::timestamptz)
     ), '[]'::json) as credentials,
     coalesce((
       select json_agg(
         json_build_object('company_id', companies.company_id, 'orgnr', companies.orgnr, 'name', companies.name)
         order by companies.name, companies.company_id
       )
       from connection_companies further
       join companies using (company_id)
       join memberships manages on manages.company_id = further.company_id and manages.member_id = connections.created_by
         and manages.role in ('owner', 'developer')
       where further.connection_id = connections.connection_id
         and (connections.company_id = $companyId::uuid or further.company_id = $companyId::uuid)
     ), '[]'::json) as further_companies,
     (
       select max(credentials.ends_at) from credentials
       where credentials.connection_id = connections.connection_id and connections.company_id = $companyId::uuid
         and credentials.ends_at > $at::timestamptz
     ) as previous_ends_at`
const itsTables = `join companies home on home.company_id = connections.company_id
     left join source_names on source_names.source_id = connections.source_id
     left join members maker on maker.member_id = connections.created_by
     left join members revoker on revoker.member_id = connections.revoked_by
     left join signatures signature on signature.signature_id = connections.signature_id
     left join connection_uses used on used.company_id = connections.company_id
       and used.connection_id = connections.connection_id
     left join memberships membership on membership.company_id = $companyId::uuid
       and membership.member_id = connections.created_by`

/** Of the company itself. */
export const selectConnection = defineStatement<
  ConnectionRow,
  { at: Date; companyId: string; connectionId: string }
>(
  'connections.select',
  `select ${connectionColumns}
   from connections
     ${itsTables}
   where connections.company_id = $companyId::uuid and connections.connection_id = $connectionId::uuid`,
)

/** A connection of another company that acts on this one. */
export const selectFurtherConnection = defineStatement<
  ConnectionRow,
  { at: Date; companyId: string; connectionId: string }
>(
  'connections.select-further',
  `select ${connectionColumns}
   from connections
     ${itsTables}
   where connections.connection_id = $connectionId::uuid and membership.role in ('owner', 'developer')
     and exists (
       select from connection_companies acts
       where acts.connection_id = $connectionId::uuid and acts.company_id = $companyId::uuid
     )`,
)

/** The filter; null matches any. States are those of `toConnection`. */
function isListed(connection: string): string {
  return `($sourceId::uuid is null or ${connection}.source_id = $sourceId::uuid)
         and ($createdBy::uuid is null or ${connection}.created_by = $createdBy::uuid)
         and ($state::text is null or $state::text = case
           when ${connection}.revoked_at is not null then 'revoked'
           when ${connection}.signed_at is null then 'unsigned'
           when ${connection}.expires_at <= $at::timestamptz then 'expired'
           else 'signed'
         end)`
}

/**
 * Newest first: version 7 ids grow with time. `$withFurther` includes those of other companies that act on this one.
 * Without a filter it reads at most a page of either; with one, all that the company has, which a limit bounds.
 */
export const selectConnections = defineStatement<
  ConnectionRow & WithinBytes,
  {
    at: Date
    companyId: string
    before: string | null
    limit: number
    withFurther: boolean
    sourceId: string | null
    createdBy: string | null
    state: ConnectionState | null
  }
>(
  'connections.select-all',
  withinBytes(`with listed as materialized (
     (
       select own.connection_id
       from connections own
       where own.company_id = $companyId::uuid and own.connection_id < coalesce($before::uuid, '${highestUuid}'::uuid)
         and ${isListed('own')}
       order by own.connection_id desc
       limit $limit::integer
     )
     union all
     (
       select acts.connection_id
       from connection_companies acts
       join connections other on other.connection_id = acts.connection_id
       join memberships manages on manages.company_id = acts.company_id and manages.member_id = other.created_by
         and manages.role in ('owner', 'developer')
       where $withFurther::boolean and acts.company_id = $companyId::uuid
         and acts.connection_id < coalesce($before::uuid, '${highestUuid}'::uuid)
         and ${isListed('other')}
       order by acts.connection_id desc
       limit $limit::integer
     )
     order by connection_id desc
     limit $limit::integer
   )
   select ${connectionColumns}
   from listed
     join connections on connections.connection_id = listed.connection_id
     ${itsTables}
   order by connections.connection_id desc
   limit all`),
)

/** No row if the connection does not act on the company as a further one. */
export const deleteActingCompany = defineStatement<
  { name: string; company_name: string },
  { connectionId: string; companyId: string }
>(
  'connections.delete-acting-company',
  `delete from connection_companies acts
   using connections join companies home on home.company_id = connections.company_id
   where acts.connection_id = $connectionId::uuid and acts.company_id = $companyId::uuid
     and connections.connection_id = acts.connection_id
   returning connections.name, home.name as company_name`,
)

/** One change of a connection at a time. */
export const lockConnectionRow = defineStatement<
  { connection_id: string },
  { companyId: string; connectionId: string }
>(
  'connections.lock',
  `select connection_id from connections
   where company_id = $companyId::uuid and connection_id = $connectionId::uuid
   for no key update`,
)

/** No row if it is already signed or revoked: of two signatures one counts. */
export const markSigned = defineStatement<
  { connection_id: string },
  { companyId: string; connectionId: string; signatureId: string; signedAt: Date; expiresAt: Date }
>(
  'connections.mark-signed',
  `update connections
   set signature_id = $signatureId::uuid, signed_at = $signedAt::timestamptz, expires_at = $expiresAt::timestamptz
   where company_id = $companyId::uuid and connection_id = $connectionId::uuid and signed_at is null
     and revoked_at is null
   returning connection_id`,
)

/** No row if it is already revoked. */
export const markRevoked = defineStatement<
  { connection_id: string },
  { companyId: string; connectionId: string; at: Date; revokedBy: string | null }
>(
  'connections.mark-revoked',
  `update connections
   set revoked_at = $at::timestamptz, revoked_by = $revokedBy::uuid
   where company_id = $companyId::uuid and connection_id = $connectionId::uuid and revoked_at is null
   returning connection_id`,
)

/** The demo connection of a source, if it has one. */
export const selectDemoConnection = defineStatement<
  { connection_id: string },
  { companyId: string; sourceId: string }
>(
  'connections.select-demo',
  `select connection_id from connections
   where company_id = $companyId::uuid and source_id = $sourceId::uuid and kind = 'demo' and revoked_at is null
   order by connection_id
   limit 1`,
)

/** The company of the demo connection that a published credential opens at an instant. */
export const selectDemoCredential = defineStatement<
  { company_id: string; orgnr: string },
  { credentialHash: Buffer; at: Date }
>(
  'connections.select-demo-credential',
  `select companies.company_id, companies.orgnr
   from credentials
   join connections on connections.connection_id = credentials.connection_id
   join companies on companies.company_id = connections.company_id
   where credentials.credential_hash = $credentialHash::bytea and credentials.kind = 'static'
     and (credentials.ends_at is null or credentials.ends_at > $at::timestamptz)
     and connections.kind = 'demo' and connections.revoked_at is null`,
)

/** The credential of a published connection: from now on it opens this one, whichever it opened before. */
export const upsertCredential = defineStatement<
  never,
  { credentialHash: Buffer; connectionId: string; lastFour: string; createdAt: Date }
>(
  'connections.upsert-credential',
  `insert into credentials (credential_hash, connection_id, kind, last_four, created_at)
   values ($credentialHash::bytea, $connectionId::uuid, 'static', $lastFour::text, $createdAt::timestamptz)
   on conflict (credential_hash) do update set connection_id = excluded.connection_id, ends_at = null`,
)

export const endOtherCredentials = defineStatement<
  never,
  { connectionId: string; credentialHash: Buffer; at: Date }
>(
  'connections.end-other-credentials',
  `update credentials set ends_at = $at::timestamptz
   where connection_id = $connectionId::uuid and credential_hash <> $credentialHash::bytea and ends_at is null`,
)

/**
 * Writes last uses in the order of the ids, so that processes cannot deadlock. Deleted connections and earlier instants
 * change nothing.
 */
export const upsertConnectionUses = defineStatement<never, { connectionIds: Buffer; instants: Buffer }>(
  'connections.upsert-uses',
  `insert into connection_uses as uses (company_id, connection_id, last_used_at)
   select connections.company_id, connections.connection_id, used.last_used_at
   from unnest($connectionIds::uuid[], $instants::timestamptz[]) as used (connection_id, last_used_at)
     join connections on connections.connection_id = used.connection_id
   order by connections.connection_id
   on conflict (company_id, connection_id) do update set last_used_at = excluded.last_used_at
   where uses.last_used_at < excluded.last_used_at`,
)
