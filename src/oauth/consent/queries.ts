import type { AppPermission } from '../../people/access/app-permissions.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { selectsFromTable } from '../../platform/database/schemas.ts'

export interface GrantedAccessRow {
  connection_id: string
  permissions: AppPermission[]
  every_company: boolean
  resources: string[]
  expires_at: Date
  company_ids: string[]
}

const grantedColumns = `connection_id, permissions, every_company, resources, expires_at,
    array(
      select app_connection_companies.company_id::text
      from app_connection_companies
      where app_connection_companies.connection_id = app_connections.connection_id
    ) as company_ids`

/** What an app is allowed by a member at an instant. */
export const selectGrantedAccess = defineStatement<
  GrantedAccessRow,
  { clientId: string; memberId: string; at: Date }
>(
  'consent.select-granted-access',
  `
  select ${grantedColumns}
  from app_connections
  where client_id = $clientId::text and member_id = $memberId::uuid and ended_at is null
    and expires_at > $at::timestamptz`,
)

/**
 * The one connection that has not been ended, though it may be past its end. Until the transaction is over it cannot
 * be ended; its tokens can still be refreshed.
 */
export const lockGrantedAccess = defineStatement<GrantedAccessRow, { clientId: string; memberId: string }>(
  'consent.lock-granted-access',
  `
  select ${grantedColumns}
  from app_connections
  where client_id = $clientId::text and member_id = $memberId::uuid and ended_at is null
  for no key update`,
)

export const endExpiredAppConnection = defineStatement<never, { connectionId: string }>(
  'consent.end-expired-app-connection',
  `
  update app_connections
  set ended_at = expires_at, ended_by = 'expiry'
  where connection_id = $connectionId::uuid and ended_at is null`,
)

/** No row if the app and the member have another that has not ended: of concurrent consents one creates it. */
export const insertAppConnection = defineStatement<
  { connection_id: string },
  {
    connectionId: string
    clientId: string
    memberId: string
    clientName: string
    redirectHost: string
    permissions: readonly AppPermission[]
    everyCompany: boolean
    resources: readonly string[]
    consentedAt: Date
    expiresAt: Date
  }
>(
  'consent.insert-app-connection',
  `
  insert into app_connections (
    connection_id, client_id, member_id, client_name, redirect_host, permissions, every_company, resources,
    consented_at, expires_at
  )
  values (
    $connectionId::uuid, $clientId::text, $memberId::uuid, $clientName::text, $redirectHost::text,
    $permissions::text[], $everyCompany::boolean, $resources::text[], $consentedAt::timestamptz,
    $expiresAt::timestamptz
  )
  on conflict (client_id, member_id) where ended_at is null do nothing
  returning connection_id`,
)

export const widenAppConnection = defineStatement<
  never,
  {
    connectionId: string
    permissions: readonly AppPermission[]
    everyCompany: boolean
    resources: readonly string[]
  }
>(
  'consent.widen-app-connection',
  `
  update app_connections
  set permissions = $permissions::text[], every_company = $everyCompany::boolean, resources = $resources::text[]
  where connection_id = $connectionId::uuid`,
)

export const insertChosenCompanies = defineStatement<
  never,
  { connectionId: string; companyIds: readonly string[] }
>(
  'consent.insert-chosen-companies',
  `
  insert into app_connection_companies (company_id, connection_id)
  select company_id, $connectionId::uuid from unnest($companyIds::uuid[]) as company_id
  where ${selectsFromTable}
  on conflict (connection_id, company_id) do nothing`,
)

export const insertConsent = defineStatement<
  never,
  { consentId: string; connectionId: string; signatureId: string; signedAt: Date }
>(
  'consent.insert-consent',
  `
  insert into consents (consent_id, connection_id, signature_id, signed_at)
  values ($consentId::uuid, $connectionId::uuid, $signatureId::uuid, $signedAt::timestamptz)`,
)
