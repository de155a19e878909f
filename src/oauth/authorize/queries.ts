import type { AppPermission } from '../../people/access/app-permissions.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'

/** No row if the connection has ended or expired. */
export const insertCode = defineStatement<
  { connection_id: string },
  {
    codeHash: Buffer
    tokenFamilyId: string
    connectionId: string
    redirectUri: string
    codeChallenge: string
    permissions: readonly AppPermission[]
    resources: readonly string[]
    issuedAt: Date
    expiresAt: Date
  }
>(
  'oauth.insert-code',
  `
  insert into authorization_codes (
    code_hash, token_family_id, connection_id, client_id, redirect_uri, code_challenge, permissions, resources,
    issued_at, expires_at
  )
  select
    $codeHash::bytea, $tokenFamilyId::uuid, connection_id, client_id, $redirectUri::text, $codeChallenge::text,
    $permissions::text[], $resources::text[], $issuedAt::timestamptz, $expiresAt::timestamptz
  from app_connections
  where connection_id = $connectionId::uuid and ended_at is null and expires_at > $issuedAt::timestamptz
  returning connection_id`,
)
