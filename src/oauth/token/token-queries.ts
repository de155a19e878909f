/** Access tokens of service connections. */
import { defineStatement } from '../../database/define-statement.ts'
import { deleteSomeRows } from '../../database/expired-rows.ts'
import type { Queryable } from '../../database/pool.ts'

type TokenToIssue = {
  clientId: string
  secretHash: Buffer
  tokenHash: Buffer
  issuedAt: Date
  /** At the latest; the connection may end sooner. */
  expiresAt: Date
}

const insertToken = defineStatement<{ expires_at: Date; permissions: string[] }, TokenToIssue>(
  'oauth.insert-token',
  `
  with opened as (
    select connections.connection_id, connections.expires_at, connections.permissions
    from credentials
    join connections on connections.connection_id = credentials.connection_id
    where credentials.credential_hash = $secretHash::bytea and credentials.kind = 'secret'
      and (credentials.ends_at is null or credentials.ends_at > $issuedAt::timestamptz)
      and connections.client_id = $clientId::text
      and connections.signed_at is not null
      and connections.revoked_at is null
      and connections.expires_at > $issuedAt::timestamptz
      and not exists (select from deployment_switches where name = 'tokens')
  ),
  issued as (
    insert into tokens (token_hash, connection_id, issued_at, expires_at)
    select $tokenHash::bytea, connection_id, $issuedAt::timestamptz, least(expires_at, $expiresAt::timestamptz)
    from opened
    returning expires_at
  )
  select issued.expires_at, opened.permissions
  from issued, opened`,
)

/** Issues a token where id and secret open an active connection; undefined where they do not, or tokens are stopped. */
export function issueToken(
  on: Queryable,
  token: TokenToIssue,
): Promise<{ expires_at: Date; permissions: string[] } | undefined> {
  return insertToken.first(on, token)
}

/** At most `rowsMax` access tokens that open nothing any more. */
export const deleteTokensPast = defineStatement<never, { at: Date; rowsMax: number }>(
  'oauth.delete-expired-tokens',
  deleteSomeRows('tokens', 'token_hash', 'expires_at <= $at::timestamptz'),
)
