/** The SQL of apps' codes and tokens. */
import { byteaArray, textArray } from '../../database/binary-array.ts'
import { defineStatement } from '../../database/define-statement.ts'
import type { Queryable } from '../../database/pool.ts'
import type { TokenPair } from './new-token-pair.ts'

/** An app that says it has a code. */
export interface CodeAttempt {
  clientId: string
  codeHash: Buffer
  /** As UTF-8: compared byte for byte, and whatever was sent. */
  redirectUri: Buffer
  /** Of the verifier that was sent. */
  codeChallenge: string
  /** Other servers. */
  resources: string[]
}

/** An app that says it has a refresh token. */
export interface RefreshAttempt {
  clientId: string
  tokenHash: Buffer
  /** Undefined: those of the refresh token. */
  permissions: string[] | undefined
  /** Other servers. Undefined: those of the refresh token. */
  resources: string[] | undefined
}

/** What was issued with a pair. */
export interface IssuedPair {
  access_expires_at: Date
  /** Of the access token. */
  permissions: string[]
}

/** Why an attempt failed, as far as the attempt itself may know. */
interface FailedAttempt {
  /** The operator has stopped the issuing of tokens. */
  stopped: boolean
  /** There is an app of this id. */
  registered: boolean
  /** It was the right one, and was used before: then the tokens of this grant are to end. */
  used: boolean
  token_family_id: string | null
  connection_id: string | null
  lacks_resource: boolean
}

/*
 * The last use of apps is noted in passing, where the note is an hour old; that an app is not removed as unused needs no more.
 * Nobody waits for it: where somebody else is writing the note, it is being written.
 */
function touchApps(exchanged: string, now: string): string {
  return `
  touched as (
    update apps
    set last_used_at = ${now}
    where client_id in (
      select client_id
      from apps
      where client_id in (select client_id from ${exchanged}) and last_used_at <= ${now} - interval '1 hour'
      for no key update skip locked
    )
  )`
}

/*
 * Of any number at once one gets a row: the others wait for it, look at the code again, and find it used. A used code is
 * kept until its connection is over, so that a second use is seen as long as there can be tokens to end.
 */
const redeemCodeStatement = defineStatement<
  IssuedPair,
  [
    codeHash: Buffer,
    clientId: string,
    redirectUri: Buffer,
    codeChallenge: string,
    resources: Buffer,
    accessHash: Buffer,
    refreshHash: Buffer,
    issuedAt: Date,
    accessExpiresAt: Date,
  ]
>(
  'oauth.redeem_code',
  `
  with redeemed as (
    update authorization_codes as code
    set used_at = $8::timestamptz, expires_at = connection.expires_at
    from apps, app_connections as connection
    where code.code_hash = $1::bytea
      and code.client_id = $2::text
      and convert_to(code.redirect_uri, 'UTF8') = $3::bytea
      and code.code_challenge = $4::text
      and $5::text[] <@ code.resources
      and code.used_at is null
      and code.expires_at > $8::timestamptz
      and apps.client_id = code.client_id
      and connection.connection_id = code.connection_id
      and connection.ended_at is null
      and connection.expires_at > $8::timestamptz
      and not exists (select from deployment_switches where name = 'tokens')
    returning
      code.token_family_id, code.connection_id, code.client_id,
      array(
        select permission
        from unnest(code.permissions) with ordinality as asked (permission, position)
        where permission = any (connection.permissions)
        order by position
      ) as permissions,
      least(connection.expires_at, $9::timestamptz) as access_expires_at,
      connection.expires_at as refresh_expires_at
  ),
  issued as (
    insert into app_tokens (token_hash, kind, token_family_id, connection_id, client_id, permissions, resources, issued_at,
      expires_at)
    select
      $6::bytea, 'access', token_family_id, connection_id, client_id, permissions, $5::text[], $8::timestamptz, access_expires_at
    from redeemed
    union all
    select
      $7::bytea, 'refresh', token_family_id, connection_id, client_id, permissions, $5::text[], $8::timestamptz,
      refresh_expires_at
    from redeemed
  ),
  ${touchApps('redeemed', '$8::timestamptz')}
  select access_expires_at, permissions
  from redeemed`,
)

/** Uses a code up and issues its first tokens, where everything matches; otherwise undefined, and nothing happened. */
export function redeemCode(
  on: Queryable,
  attempt: CodeAttempt,
  pair: TokenPair,
): Promise<IssuedPair | undefined> {
  return redeemCodeStatement.first(on, [
    attempt.codeHash,
    attempt.clientId,
    attempt.redirectUri,
    attempt.codeChallenge,
    textArray(attempt.resources),
    pair.accessHash,
    pair.refreshHash,
    pair.issuedAt,
    pair.accessExpiresAt,
  ])
}

const readFailedCodeStatement = defineStatement<
  FailedAttempt,
  [
    codeHash: Buffer,
    clientId: string,
    redirectUri: Buffer,
    codeChallenge: string,
    resources: Buffer,
    now: Date,
  ]
>(
  'oauth.read_failed_code',
  `
  select
    exists (select from deployment_switches where name = 'tokens') as stopped,
    exists (select from apps where client_id = $2::text) as registered,
    code.used_at is not null as used, code.token_family_id, code.connection_id,
    coalesce(
      convert_to(code.redirect_uri, 'UTF8') = $3::bytea and code.expires_at > $6::timestamptz
        and connection.ended_at is null and connection.expires_at > $6::timestamptz
        and not $5::text[] <@ code.resources,
      false
    ) as lacks_resource
  from (values (true)) as attempt (made)
  left join authorization_codes as code on code.code_hash = $1::bytea and code.client_id = $2::text
    and code.code_challenge = $4::text
  left join app_connections as connection on connection.connection_id = code.connection_id`,
)

/**
 * What there is to say about an attempt that failed. `used` is of a code that was its app's and was tried with its verifier,
 * wherever the app says that it was sent [oauth.code].
 */
export async function readFailedCode(on: Queryable, attempt: CodeAttempt, now: Date): Promise<FailedAttempt> {
  return (await readFailedCodeStatement.first(on, [
    attempt.codeHash,
    attempt.clientId,
    attempt.redirectUri,
    attempt.codeChallenge,
    textArray(attempt.resources),
    now,
  ]))!
}

/*
 * Rows of those attempts in which everything fits. For each attempt, in the order of the tokens so that two statements wait for
 * each other and never in a cycle, the connection is locked, then the token. The connection's lock is the one that a
 * foreign key takes anyway: refreshes do not wait for each other, and a revocation of the grant (`revokeTokenFamily`) waits
 * for those under way. Of any number of uses of one token one gets a row: those of the same statement by their order, the others
 * look at the token again when they have its lock, and find it used.
 */
const refreshStatement = defineStatement<
  IssuedPair & { attempt: string },
  [
    tokenHashes: Buffer,
    clientIds: Buffer,
    /** Each with spaces between; null where none are named. */
    permissions: Buffer,
    /** Each with line breaks between; null where none are named. */
    resources: Buffer,
    accessHashes: Buffer,
    refreshHashes: Buffer,
    issuedAt: Date,
    accessExpiresAt: Date,
  ]
>(
  'oauth.refresh',
  `
  with asked as materialized (
    select
      token_hash, client_id, string_to_array(permissions, ' ') as permissions,
      string_to_array(resources, E'\n') as resources, access_hash, refresh_hash, attempt
    from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[])
      with ordinality as asked (token_hash, client_id, permissions, resources, access_hash, refresh_hash, attempt)
    where exists (select from apps where apps.client_id = asked.client_id)
      and not exists (select from deployment_switches where name = 'tokens')
    order by token_hash
  ),
  held as materialized (
    select
      asked.token_hash, asked.attempt, asked.client_id, asked.access_hash, asked.refresh_hash,
      token.token_family_id, token.connection_id, token.permissions as refresh_permissions,
      token.resources as refresh_resources,
      array(
        select permission
        from unnest(token.permissions) with ordinality as granted (permission, position)
        where permission = any (connection.permissions)
          and (asked.permissions is null or permission = any (asked.permissions))
        order by position
      ) as permissions,
      coalesce(asked.resources, token.resources) as resources,
      least(connection.expires_at, $8::timestamptz) as access_expires_at,
      connection.expires_at as refresh_expires_at
    from asked
    cross join lateral (
      select connection_id, permissions, expires_at
      from app_connections
      where connection_id = (
          select connection_id
          from app_tokens
          where token_hash = asked.token_hash and client_id = asked.client_id and kind = 'refresh'
        )
        and ended_at is null
        and expires_at > $7::timestamptz
      for key share
    ) as connection
    cross join lateral (
      select token_family_id, connection_id, permissions, resources
      from app_tokens
      where token_hash = asked.token_hash
        and connection_id = connection.connection_id
        and used_at is null
        and revoked_at is null
        and expires_at > $7::timestamptz
        and (asked.permissions is null or asked.permissions <@ permissions)
        and (asked.resources is null or asked.resources <@ resources)
      for no key update
    ) as token
  ),
  exchanged as (
    select distinct on (token_hash)
      token_hash, attempt, client_id, access_hash, refresh_hash, token_family_id, connection_id, refresh_permissions,
      refresh_resources, permissions, resources, access_expires_at, refresh_expires_at
    from held
    order by token_hash, attempt
  ),
  used as (
    update app_tokens
    set used_at = $7::timestamptz
    from exchanged
    where app_tokens.token_hash = exchanged.token_hash
  ),
  issued as (
    insert into app_tokens (token_hash, kind, token_family_id, connection_id, client_id, permissions, resources, issued_at,
      expires_at)
    select
      access_hash, 'access', token_family_id, connection_id, client_id, permissions, resources, $7::timestamptz, access_expires_at
    from exchanged
    union all
    select
      refresh_hash, 'refresh', token_family_id, connection_id, client_id, refresh_permissions, refresh_resources, $7::timestamptz,
      refresh_expires_at
    from exchanged
  ),
  ${touchApps('exchanged', '$7::timestamptz')}
  select attempt, access_expires_at, permissions
  from exchanged`,
)

function joined(values: string[] | undefined, separator: string): string | null {
  return values === undefined ? null : values.join(separator)
}

/**
 * Uses refresh tokens up and issues the next pairs, one for each attempt. What is answered is in their order: undefined for an
 * attempt in which something does not fit, and nothing happened to it.
 */
export async function refreshAll(
  on: Queryable,
  attempts: readonly RefreshAttempt[],
  pairs: readonly TokenPair[],
): Promise<(IssuedPair | undefined)[]> {
  const rows = await refreshStatement.rows(on, [
    byteaArray(attempts.map((attempt) => attempt.tokenHash)),
    textArray(attempts.map((attempt) => attempt.clientId)),
    textArray(attempts.map((attempt) => joined(attempt.permissions, ' '))),
    textArray(attempts.map((attempt) => joined(attempt.resources, '\n'))),
    byteaArray(pairs.map((pair) => pair.accessHash)),
    byteaArray(pairs.map((pair) => pair.refreshHash)),
    pairs[0]!.issuedAt,
    pairs[0]!.accessExpiresAt,
  ])
  const issued: (IssuedPair | undefined)[] = attempts.map(() => undefined)
  for (const row of rows) issued[Number(row.attempt) - 1] = row
  return issued
}

interface FailedRefresh extends FailedAttempt {
  /** It could have been used, but for what was asked of it. */
  usable: boolean
  lacks_permission: boolean
}

const readFailedRefreshStatement = defineStatement<
  FailedRefresh,
  [tokenHash: Buffer, clientId: string, permissions: Buffer, resources: Buffer, now: Date]
>(
  'oauth.read_failed_refresh',
  `
  select
    exists (select from deployment_switches where name = 'tokens') as stopped,
    exists (select from apps where client_id = $2::text) as registered,
    token.used_at is not null as used, token.token_family_id, token.connection_id,
    coalesce(
      token.revoked_at is null and token.expires_at > $5::timestamptz
        and connection.ended_at is null and connection.expires_at > $5::timestamptz,
      false
    ) as usable,
    not $3::text[] <@ coalesce(token.permissions, '{}') as lacks_permission,
    not $4::text[] <@ coalesce(token.resources, '{}') as lacks_resource
  from (values (true)) as attempt (made)
  left join app_tokens as token on token.token_hash = $1::bytea and token.client_id = $2::text
    and token.kind = 'refresh'
  left join app_connections as connection on connection.connection_id = token.connection_id`,
)

/** What there is to say about an attempt that failed. */
export async function readFailedRefresh(
  on: Queryable,
  attempt: RefreshAttempt,
  now: Date,
): Promise<FailedRefresh> {
  return (await readFailedRefreshStatement.first(on, [
    attempt.tokenHash,
    attempt.clientId,
    textArray(attempt.permissions ?? []),
    textArray(attempt.resources ?? []),
    now,
  ]))!
}

interface TokenToRevoke {
  registered: boolean
  /** All null for a token that is unknown. */
  client_id: string | null
  token_family_id: string | null
  connection_id: string | null
}

const readTokenToRevokeStatement = defineStatement<TokenToRevoke, [clientId: string, tokenHash: Buffer]>(
  'oauth.read_token_to_revoke',
  `
  select
    exists (select from apps where client_id = $1::text) as registered,
    token.client_id, token.token_family_id, token.connection_id
  from (values (true)) as attempt (made)
  left join app_tokens as token on token.token_hash = $2::bytea`,
)

/** Whose token it is, and whether the app that asks is registered. */
export async function readTokenToRevoke(
  on: Queryable,
  clientId: string,
  tokenHash: Buffer,
): Promise<TokenToRevoke> {
  return (await readTokenToRevokeStatement.first(on, [clientId, tokenHash]))!
}

const lockConnectionStatement = defineStatement<never, [connectionId: string]>(
  'oauth.lock_connection',
  `
  select connection_id
  from app_connections
  where connection_id = $1::uuid
  for update`,
)

/** Waits for the refreshes of a connection that are under way, and keeps further ones waiting. */
export async function lockConnection(on: Queryable, connectionId: string): Promise<void> {
  await lockConnectionStatement.run(on, [connectionId])
}

const revokeTokensStatement = defineStatement<never, [tokenFamilyId: string, now: Date]>(
  'oauth.revoke_tokens',
  `
  update app_tokens
  set revoked_at = $2::timestamptz
  where token_family_id = $1::uuid and used_at is null and revoked_at is null`,
)

/** Ends all tokens that share a grant; a used one opens nothing as it is. To be run under `lockConnection`. */
export async function revokeTokens(on: Queryable, tokenFamilyId: string, now: Date): Promise<void> {
  await revokeTokensStatement.run(on, [tokenFamilyId, now])
}

const deleteExpiredAppTokensStatement = defineStatement<never, [at: Date, rowsMax: number]>(
  'oauth.delete_expired_app_tokens',
  `
  delete from app_tokens
  where token_hash in (
    select token_hash from app_tokens where expires_at <= $1::timestamptz limit $2::integer for update skip locked
  )`,
)

/**
 * At most `rowsMax` tokens past their time; says how many. One that is being revoked right now is left for the next time:
 * waiting could be a deadlock.
 */
export async function deleteExpiredAppTokens(on: Queryable, at: Date, rowsMax: number): Promise<number> {
  return (await deleteExpiredAppTokensStatement.run(on, [at, rowsMax])).rowCount ?? 0
}

const deleteExpiredCodesStatement = defineStatement<never, [at: Date, rowsMax: number]>(
  'oauth.delete_expired_codes',
  `
  delete from authorization_codes
  where code_hash in (
    select code_hash
    from authorization_codes
    where expires_at <= $1::timestamptz
    limit $2::integer
    for update skip locked
  )`,
)

/** At most `rowsMax` codes past their time, a used one's being the end of its connection; says how many. */
export async function deleteExpiredCodes(on: Queryable, at: Date, rowsMax: number): Promise<number> {
  return (await deleteExpiredCodesStatement.run(on, [at, rowsMax])).rowCount ?? 0
}
