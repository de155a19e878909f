import { defineStatement } from '../../database/define-statement.ts'
import type { AppPermission } from '../../access/app-permissions.ts'

export interface ConnectionRow {
  connection_id: string
  permissions: AppPermission[]
  every_company: boolean
  resources: string[]
  expires_at: Date
  company_ids: string[]
}

const connectionColumns = `connection_id, permissions, every_company, resources, expires_at,
  array(
    select chosen.company_id::text
    from app_connection_companies chosen
    where chosen.connection_id = app_connections.connection_id
  ) as company_ids`

/** What an app is allowed by a member at an instant. */
export const selectActiveConnection = defineStatement<
  ConnectionRow,
  [clientId: string, memberId: string, at: Date]
>(
  'oauth.select_active_connection',
  `select ${connectionColumns}
   from app_connections
   where client_id = $1::text and member_id = $2::uuid and ended_at is null and expires_at > $3::timestamptz`,
)

/**
 * The one connection that is not ended, though it may be past its end. Until the transaction is over nobody ends it; its
 * tokens can be refreshed meanwhile.
 */
export const lockConnection = defineStatement<ConnectionRow, [clientId: string, memberId: string]>(
  'oauth.lock_connection_of_member',
  `select ${connectionColumns}
   from app_connections
   where client_id = $1::text and member_id = $2::uuid and ended_at is null
   for no key update`,
)

export const endExpiredConnection = defineStatement<never, [connectionId: string]>(
  'oauth.end_expired_connection',
  `update app_connections set ended_at = expires_at, ended_by = 'expiry'
   where connection_id = $1::uuid and ended_at is null`,
)

/** No row where another one of the app and the member is not ended: of two at once, one is made. */
export const insertConnection = defineStatement<
  { connection_id: string },
  [
    connectionId: string,
    clientId: string,
    memberId: string,
    clientName: string,
    redirectHost: string,
    permissions: AppPermission[],
    everyCompany: boolean,
    resources: string[],
    consentedAt: Date,
    expiresAt: Date,
  ]
>(
  'oauth.insert_connection',
  `insert into app_connections (connection_id, client_id, member_id, client_name, redirect_host, permissions,
     every_company, resources, consented_at, expires_at)
   values ($1::uuid, $2::text, $3::uuid, $4::text, $5::text, $6::text[], $7::boolean, $8::text[], $9::timestamptz,
     $10::timestamptz)
   on conflict (client_id, member_id) where ended_at is null do nothing
   returning connection_id`,
)

export const widenConnection = defineStatement<
  never,
  [connectionId: string, permissions: AppPermission[], everyCompany: boolean, resources: string[]]
>(
  'oauth.widen_connection',
  `update app_connections set permissions = $2::text[], every_company = $3::boolean, resources = $4::text[]
   where connection_id = $1::uuid`,
)

export const insertChosenCompanies = defineStatement<never, [connectionId: string, companyIds: string[]]>(
  'oauth.insert_chosen_companies',
  `insert into app_connection_companies (company_id, connection_id)
   select company_id, $1::uuid from unnest($2::uuid[]) as company_id
   on conflict (connection_id, company_id) do nothing`,
)

export const insertConsent = defineStatement<
  never,
  [consentId: string, connectionId: string, signatureId: string, signedAt: Date]
>(
  'oauth.insert_consent',
  `insert into consents (consent_id, connection_id, signature_id, signed_at)
   values ($1::uuid, $2::uuid, $3::uuid, $4::timestamptz)`,
)

/** No row where the connection is ended or past its end. */
export const insertCode = defineStatement<
  { connection_id: string },
  [
    codeHash: Buffer,
    tokenFamilyId: string,
    connectionId: string,
    redirectUri: string,
    codeChallenge: string,
    permissions: AppPermission[],
    resources: string[],
    issuedAt: Date,
    expiresAt: Date,
  ]
>(
  'oauth.insert_code',
  `insert into authorization_codes (code_hash, token_family_id, connection_id, client_id, redirect_uri, code_challenge,
     permissions, resources, issued_at, expires_at)
   select $1::bytea, $2::uuid, connection_id, client_id, $4::text, $5::text, $6::text[], $7::text[], $8::timestamptz,
     $9::timestamptz
   from app_connections
   where connection_id = $3::uuid and ended_at is null and expires_at > $8::timestamptz
   returning connection_id`,
)
