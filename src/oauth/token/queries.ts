import { defineStatement } from '../../database/define-statement.ts'
import type { Queryable } from '../../database/pool.ts'

export interface TokenToIssue {
  clientId: string
  secretHash: Buffer
  tokenHash: Buffer
  issuedAt: Date
  /** At the latest; the connection may end sooner. */
  expiresAt: Date
}

const issueTokenStatement = defineStatement<
  { expires_at: Date; permissions: string[] },
  [clientId: string, secretHash: Buffer, tokenHash: Buffer, issuedAt: Date, expiresAt: Date]
>(
  'oauth.issue_token',
  `
  with opened as (
    select connections.connection_id, connections.expires_at, connections.permissions
    from credentials
    join connections on connections.connection_id = credentials.connection_id
    where credentials.credential_hash = $2::bytea and credentials.kind = 'secret'
      and (credentials.ends_at is null or credentials.ends_at > $4::timestamptz)
      and connections.client_id = $1::text
      and connections.signed_at is not null
      and connections.revoked_at is null
      and connections.expires_at > $4::timestamptz
  ),
  issued as (
    insert into tokens (token_hash, connection_id, issued_at, expires_at)
    select $3::bytea, connection_id, $4::timestamptz, least(expires_at, $5::timestamptz)
    from opened
    returning expires_at
  )
  select issued.expires_at, opened.permissions
  from issued, opened`,
)

/** Issues a token where id and secret open a living connection; undefined where they do not. */
export const issueToken = (
  on: Queryable,
  token: TokenToIssue,
): Promise<{ expires_at: Date; permissions: string[] } | undefined> =>
  issueTokenStatement.first(on, [
    token.clientId,
    token.secretHash,
    token.tokenHash,
    token.issuedAt,
    token.expiresAt,
  ])

const deleteExpiredTokensStatement = defineStatement<never, [now: Date]>(
  'oauth.delete_expired_tokens',
  `
  delete from tokens
  where expires_at <= $1::timestamptz`,
)

/** Tokens that open nothing any more. */
export const deleteExpiredTokens = async (on: Queryable, now: Date): Promise<void> => {
  await deleteExpiredTokensStatement.run(on, [now])
}
