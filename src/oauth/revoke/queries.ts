import { defineStatement } from '../../platform/database/define-statement.ts'

interface TokenToRevoke {
  registered: boolean
  /** All null for a token that is unknown. */
  client_id: string | null
  token_family_id: string | null
  connection_id: string | null
}

/** Whose token it is, and whether the calling app is registered. One row. */
export const selectTokenToRevoke = defineStatement<TokenToRevoke, { clientId: string; tokenHash: Buffer }>(
  'oauth.select-token-to-revoke',
  `
  select
    exists (select from apps where client_id = $clientId::text) as registered,
    app_tokens.client_id, app_tokens.token_family_id, app_tokens.connection_id
  from (values (true)) as attempt (made)
  left join app_tokens on app_tokens.token_hash = $tokenHash::bytea`,
)
