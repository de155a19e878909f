import { textArray } from '../../platform/database/binary-array.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { touchApps, type FailedAttempt } from './app-token-queries.ts'
import type { IssuedPair, TokenPair } from './token-answer.ts'

export interface CodeAttempt {
  clientId: string
  codeHash: Buffer
  /** Null if it cannot be stored, and so is no code's. */
  redirectUri: string | null
  /** Of the verifier that was sent. */
  codeChallenge: string
  /** Other servers, and the tools for assistants. */
  resources: string[]
  /** A code for the tools for assistants gives tokens for these, whether they are named again or not. */
  toolsResource: string
}

/*
 * Of concurrent uses one gets a row: the others wait for it, read the code again, and find it used. A used code is
 * kept until its connection ends, so that a second use is noticed as long as there can be tokens to end.
 */
const exchangeCode = defineStatement<
  IssuedPair,
  Omit<CodeAttempt, 'resources'> & {
    resources: Buffer
    accessHash: Buffer
    refreshHash: Buffer
    issuedAt: Date
    accessExpiresAt: Date
  }
>(
  'oauth.exchange-code',
  `
  with redeemed as (
    update authorization_codes
    set used_at = $issuedAt::timestamptz, expires_at = app_connections.expires_at
    from apps, app_connections
    where authorization_codes.code_hash = $codeHash::bytea
      and authorization_codes.client_id = $clientId::text
      and authorization_codes.redirect_uri = $redirectUri::text
      and authorization_codes.code_challenge = $codeChallenge::text
      and $resources::text[] <@ authorization_codes.resources
      and authorization_codes.used_at is null
      and authorization_codes.expires_at > $issuedAt::timestamptz
      and apps.client_id = authorization_codes.client_id
      and app_connections.connection_id = authorization_codes.connection_id
      and app_connections.ended_at is null
      and app_connections.expires_at > $issuedAt::timestamptz
      and not exists (select from deployment_switches where name = 'tokens')
    returning
      authorization_codes.token_family_id, authorization_codes.connection_id, authorization_codes.client_id,
      array(
        select permission
        from unnest(authorization_codes.permissions) with ordinality as attempted (permission, position)
        where permission = any (app_connections.permissions)
        order by position
      ) as permissions,
      least(app_connections.expires_at, $accessExpiresAt::timestamptz) as access_expires_at,
      app_connections.expires_at as refresh_expires_at,
      case
        when $toolsResource::text = any (authorization_codes.resources) and $toolsResource::text <> all ($resources::text[])
          then array_append($resources::text[], $toolsResource::text)
        else $resources::text[]
      end as resources
  ),
  issued as (
    insert into app_tokens (
      token_hash, kind, token_family_id, connection_id, client_id, permissions, resources, issued_at, expires_at
    )
    select
      $accessHash::bytea, 'access', token_family_id, connection_id, client_id, permissions, resources,
      $issuedAt::timestamptz, access_expires_at
    from redeemed
    union all
    select
      $refreshHash::bytea, 'refresh', token_family_id, connection_id, client_id, permissions, resources,
      $issuedAt::timestamptz, refresh_expires_at
    from redeemed
  ),
  ${touchApps('redeemed')}
  select access_expires_at, permissions
  from redeemed`,
)

/** Uses a code up and issues its first tokens if everything matches; otherwise undefined, and nothing changes. */
export function redeemCode(
  on: Queryable,
  attempt: CodeAttempt,
  pair: TokenPair,
): Promise<IssuedPair | undefined> {
  return exchangeCode.first(on, { ...attempt, ...pair, resources: textArray(attempt.resources) })
}

const selectFailedCode = defineStatement<
  FailedAttempt,
  Omit<CodeAttempt, 'resources' | 'toolsResource'> & { resources: Buffer; now: Date }
>(
  'oauth.select-failed-code',
  `
  select
    exists (select from deployment_switches where name = 'tokens') as stopped,
    exists (select from apps where client_id = $clientId::text) as registered,
    authorization_codes.used_at is not null as used, authorization_codes.token_family_id,
    authorization_codes.connection_id,
    coalesce(
      authorization_codes.redirect_uri = $redirectUri::text
        and authorization_codes.expires_at > $now::timestamptz
        and app_connections.ended_at is null and app_connections.expires_at > $now::timestamptz
        and not $resources::text[] <@ authorization_codes.resources,
      false
    ) as lacks_resource
  from (values (true)) as attempt (made)
  left join authorization_codes on authorization_codes.code_hash = $codeHash::bytea
    and authorization_codes.client_id = $clientId::text
    and authorization_codes.code_challenge = $codeChallenge::text
  left join app_connections on app_connections.connection_id = authorization_codes.connection_id`,
)

/**
 * Why an attempt failed. `used`: the code is this app's and came with its verifier, even if the redirect address is
 * another [oauth.code].
 */
export async function readFailedCode(on: Queryable, attempt: CodeAttempt, now: Date): Promise<FailedAttempt> {
  const { toolsResource: _tools, resources, ...sent } = attempt
  return (await selectFailedCode.first(on, { ...sent, resources: textArray(resources), now }))!
}
