import { defineStatement } from '../../platform/database/define-statement.ts'

/** Issues a token if id and secret open an active connection, and tokens are not stopped. */
export const issueToken = defineStatement<
  { expires_at: Date; permissions: string[] },
  {
    clientId: string
    secretHash: Buffer
    tokenHash: Buffer
    issuedAt: Date
    /** At the latest; the connection may end sooner. */
    expiresAt: Date
  }
>(
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

/** The operator's switch is a row of `deployment_switches` while tokens are stopped. */
export const selectTokenSwitch = defineStatement<{ off_since: Date }, Record<string, never>>(
  'oauth.select-token-switch',
  `select off_since from deployment_switches where name = 'tokens'`,
)

/** Gives since when tokens have been stopped, which may be earlier. */
export const insertTokenSwitch = defineStatement<{ off_since: Date }, { now: Date }>(
  'oauth.insert-token-switch',
  `insert into deployment_switches (name, off_since)
   values ('tokens', $now::timestamptz)
   on conflict (name) do update set off_since = deployment_switches.off_since
   returning off_since`,
)

export const deleteTokenSwitch = defineStatement<never, Record<string, never>>(
  'oauth.delete-token-switch',
  `delete from deployment_switches where name = 'tokens'`,
)
