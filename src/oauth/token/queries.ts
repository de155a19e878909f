import { textArray } from '../../database/binary-array.ts'
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
      and not exists (select from deployment_switches where name = 'tokens')
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

/** Issues a token where id and secret open a active connection; undefined where they do not, or tokens are stopped. */
export function issueToken(
  on: Queryable,
  token: TokenToIssue,
): Promise<{ expires_at: Date; permissions: string[] } | undefined> {
  return issueTokenStatement.first(on, [
    token.clientId,
    token.secretHash,
    token.tokenHash,
    token.issuedAt,
    token.expiresAt,
  ])
}

const deleteExpiredTokensStatement = defineStatement<never, [at: Date, rowsMax: number]>(
  'oauth.delete_expired_tokens',
  `
  delete from tokens
  where token_hash in (
    select token_hash from tokens where expires_at <= $1::timestamptz limit $2::integer for update skip locked
  )`,
)

/** At most `rowsMax` tokens that opened nothing any more; says how many. */
export async function deleteExpiredTokens(on: Queryable, at: Date, rowsMax: number): Promise<number> {
  return (await deleteExpiredTokensStatement.run(on, [at, rowsMax])).rowCount ?? 0
}

const readTokenSwitchStatement = defineStatement<{ off_since: Date }, []>(
  'oauth.read_token_switch',
  `
  select off_since
  from deployment_switches
  where name = 'tokens'`,
)

/** Since when no tokens are issued; undefined while they are. */
export async function readTokenSwitch(on: Queryable): Promise<Date | undefined> {
  return (await readTokenSwitchStatement.first(on, []))?.off_since
}

const insertTokenSwitchStatement = defineStatement<{ off_since: Date }, [now: Date]>(
  'oauth.insert_token_switch',
  `
  insert into deployment_switches (name, off_since)
  values ('tokens', $1::timestamptz)
  on conflict (name) do update set off_since = deployment_switches.off_since
  returning off_since`,
)

/** Says since when no tokens are issued: since now, or since they were stopped before. */
export async function insertTokenSwitch(on: Queryable, now: Date): Promise<Date> {
  return (await insertTokenSwitchStatement.first(on, [now]))!.off_since
}

const deleteTokenSwitchStatement = defineStatement<never, []>(
  'oauth.delete_token_switch',
  `
  delete from deployment_switches
  where name = 'tokens'`,
)

export async function deleteTokenSwitch(on: Queryable): Promise<void> {
  await deleteTokenSwitchStatement.run(on, [])
}

const readKnownClientsStatement = defineStatement<{ client_id: string }, [clientIds: Buffer]>(
  'oauth.read_known_clients',
  `
  select asked.client_id
  from unnest($1::text[]) as asked (client_id)
  where exists (select from apps where apps.client_id = asked.client_id)
    or exists (select from connections where connections.client_id = asked.client_id)`,
)

/** Those of the ids that an app or a connection has, whatever became of it. */
export async function readKnownClients(
  on: Queryable,
  clientIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await readKnownClientsStatement.rows(on, [textArray(clientIds)])
  return new Set(rows.map((row) => row.client_id))
}
