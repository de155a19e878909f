import { byteaArray, textArray } from '../../platform/database/binary-array.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { IssuedPair, TokenPair } from './token-answer.ts'

export interface RefreshAttempt {
  clientId: string
  tokenHash: Buffer
  /** Undefined: those of the refresh token. */
  permissions: string[] | undefined
  /** Other servers. Undefined: those of the refresh token. */
  resources: string[] | undefined
}

/** Why an attempt failed, as far as its sender may know. */
export interface FailedAttempt {
  /** The operator has stopped the issuing of tokens. */
  stopped: boolean
  /** There is an app of this id. */
  registered: boolean
  /** It was the right one, and was used before: all tokens of its family must end. */
  used: boolean
  token_family_id: string | null
  connection_id: string | null
  lacks_resource: boolean
}

/*
 * Records the last use of apps if the record is an hour old, which is precise enough for deleting unused ones. Skips
 * locked rows: a concurrent statement records the use.
 */
export function touchApps(exchanged: string): string {
  return `
  touched as (
    update apps
    set last_used_at = $issuedAt::timestamptz
    where client_id in (
      select client_id
      from apps
      where client_id in (select client_id from ${exchanged})
        and last_used_at <= $issuedAt::timestamptz - interval '1 hour'
      for no key update skip locked
    )
  )`
}

/*
 * A row for each attempt in which everything matches. For each attempt the connection is locked, then the token, in the
 * order of the tokens, so that statements cannot deadlock. The connection's lock is the one that a foreign key takes
 * anyway: refreshes do not wait for each other, and a revocation of the family (`revokeTokenFamily`) waits for those
 * in progress. Of several uses of one token one gets a row: within a statement the first, while other statements read
 * the token again once they have its lock, and find it used.
 */
const exchangeRefreshTokens = defineStatement<
  IssuedPair & { attempt: string },
  {
    tokenHashes: Buffer
    clientIds: Buffer
    /** Separated by spaces; null if none are named. */
    permissions: Buffer
    /** Separated by line breaks; null if none are named. */
    resources: Buffer
    /** A token for the tools for assistants is renewed for these, whether they are named again or not. */
    toolsResource: string
    accessHashes: Buffer
    refreshHashes: Buffer
    issuedAt: Date
    accessExpiresAt: Date
  }
>(
  'oauth.exchange-refresh-tokens',
  `
  with attempted as materialized (
    select
      token_hash, client_id, string_to_array(permissions, ' ') as permissions,
      string_to_array(resources, E'\n') as resources, access_hash, refresh_hash, attempt
    from unnest(
      $tokenHashes::bytea[], $clientIds::text[], $permissions::text[], $resources::text[], $accessHashes::bytea[],
      $refreshHashes::bytea[]
    ) with ordinality as attempted (token_hash, client_id, permissions, resources, access_hash, refresh_hash, attempt)
    where exists (select from apps where apps.client_id = attempted.client_id)
      and not exists (select from deployment_switches where name = 'tokens')
    order by token_hash
  ),
  locked as materialized (
    select
      attempted.token_hash, attempted.attempt, attempted.client_id, attempted.access_hash, attempted.refresh_hash,
      token.token_family_id, token.connection_id, token.permissions as refresh_permissions,
      token.resources as refresh_resources,
      array(
        select permission
        from unnest(token.permissions) with ordinality as granted (permission, position)
        where permission = any (connection.permissions)
          and (attempted.permissions is null or permission = any (attempted.permissions))
        order by position
      ) as permissions,
      case
        when attempted.resources is null then token.resources
        when $toolsResource::text = any (token.resources) and $toolsResource::text <> all (attempted.resources)
          then array_append(attempted.resources, $toolsResource::text)
        else attempted.resources
      end as resources,
      least(connection.expires_at, $accessExpiresAt::timestamptz) as access_expires_at,
      connection.expires_at as refresh_expires_at
    from attempted
    cross join lateral (
      select connection_id, permissions, expires_at
      from app_connections
      where connection_id = (
          select connection_id
          from app_tokens
          where token_hash = attempted.token_hash and client_id = attempted.client_id and kind = 'refresh'
        )
        and ended_at is null
        and expires_at > $issuedAt::timestamptz
      for key share
    ) as connection
    cross join lateral (
      select token_family_id, connection_id, permissions, resources
      from app_tokens
      where token_hash = attempted.token_hash
        and connection_id = connection.connection_id
        and used_at is null
        and revoked_at is null
        and expires_at > $issuedAt::timestamptz
        and (attempted.permissions is null or attempted.permissions <@ permissions)
        and (attempted.resources is null or attempted.resources <@ resources)
      for no key update
    ) as token
  ),
  exchanged as (
    select distinct on (token_hash)
      token_hash, attempt, client_id, access_hash, refresh_hash, token_family_id, connection_id, refresh_permissions,
      refresh_resources, permissions, resources, access_expires_at, refresh_expires_at
    from locked
    order by token_hash, attempt
  ),
  used as (
    update app_tokens
    set used_at = $issuedAt::timestamptz
    from exchanged
    where app_tokens.token_hash = exchanged.token_hash
  ),
  issued as (
    insert into app_tokens (
      token_hash, kind, token_family_id, connection_id, client_id, permissions, resources, issued_at, expires_at
    )
    select
      access_hash, 'access', token_family_id, connection_id, client_id, permissions, resources,
      $issuedAt::timestamptz, access_expires_at
    from exchanged
    union all
    select
      refresh_hash, 'refresh', token_family_id, connection_id, client_id, refresh_permissions, refresh_resources,
      $issuedAt::timestamptz, refresh_expires_at
    from exchanged
  ),
  ${touchApps('exchanged')}
  select attempt, access_expires_at, permissions
  from exchanged`,
)

/**
 * Uses refresh tokens up and issues the next pairs. The results are in the order of the attempts: undefined for one in
 * which something does not match, whose token is left unchanged.
 */
export async function refreshAll(
  on: Queryable,
  attempts: readonly RefreshAttempt[],
  pairs: readonly TokenPair[],
  toolsResource: string,
): Promise<(IssuedPair | undefined)[]> {
  const rows = await exchangeRefreshTokens.rows(on, {
    tokenHashes: byteaArray(attempts.map((attempt) => attempt.tokenHash)),
    clientIds: textArray(attempts.map((attempt) => attempt.clientId)),
    permissions: textArray(attempts.map((attempt) => attempt.permissions?.join(' ') ?? null)),
    resources: textArray(attempts.map((attempt) => attempt.resources?.join('\n') ?? null)),
    toolsResource,
    accessHashes: byteaArray(pairs.map((pair) => pair.accessHash)),
    refreshHashes: byteaArray(pairs.map((pair) => pair.refreshHash)),
    issuedAt: pairs[0]!.issuedAt,
    accessExpiresAt: pairs[0]!.accessExpiresAt,
  })
  const issued: (IssuedPair | undefined)[] = attempts.map(() => undefined)
  for (const row of rows) issued[Number(row.attempt) - 1] = row
  return issued
}

interface FailedRefresh extends FailedAttempt {
  /** It could have been used, but not for what was requested. */
  usable: boolean
  lacks_permission: boolean
}

const selectFailedRefresh = defineStatement<
  FailedRefresh,
  { tokenHash: Buffer; clientId: string; permissions: Buffer; resources: Buffer; now: Date }
>(
  'oauth.select-failed-refresh',
  `
  select
    exists (select from deployment_switches where name = 'tokens') as stopped,
    exists (select from apps where client_id = $clientId::text) as registered,
    app_tokens.used_at is not null as used, app_tokens.token_family_id, app_tokens.connection_id,
    coalesce(
      app_tokens.revoked_at is null and app_tokens.expires_at > $now::timestamptz
        and app_connections.ended_at is null and app_connections.expires_at > $now::timestamptz,
      false
    ) as usable,
    not $permissions::text[] <@ coalesce(app_tokens.permissions, '{}') as lacks_permission,
    not $resources::text[] <@ coalesce(app_tokens.resources, '{}') as lacks_resource
  from (values (true)) as attempt (made)
  left join app_tokens on app_tokens.token_hash = $tokenHash::bytea and app_tokens.client_id = $clientId::text
    and app_tokens.kind = 'refresh'
  left join app_connections on app_connections.connection_id = app_tokens.connection_id`,
)

export async function readFailedRefresh(
  on: Queryable,
  attempt: RefreshAttempt,
  now: Date,
): Promise<FailedRefresh> {
  return (await selectFailedRefresh.first(on, {
    tokenHash: attempt.tokenHash,
    clientId: attempt.clientId,
    permissions: textArray(attempt.permissions ?? []),
    resources: textArray(attempt.resources ?? []),
    now,
  }))!
}

/** Waits for the refreshes of a connection that are in progress, and blocks further ones. */
export const lockConnectionOfTokens = defineStatement<never, { connectionId: string }>(
  'oauth.lock-connection-of-tokens',
  `
  select connection_id
  from app_connections
  where connection_id = $connectionId::uuid
  for update`,
)

/** Ends all tokens of a family; used ones open nothing anyway. To be run under `lockConnectionOfTokens`. */
export const revokeTokens = defineStatement<never, { tokenFamilyId: string; now: Date }>(
  'oauth.revoke-tokens',
  `
  update app_tokens
  set revoked_at = $now::timestamptz
  where token_family_id = $tokenFamilyId::uuid and used_at is null and revoked_at is null`,
)
