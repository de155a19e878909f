import { defineStatement } from '../../database/define-statement.ts'
import { deleteSomeRows } from '../../database/expired-rows.ts'
import type { Queryable } from '../../database/pool.ts'

interface AppRow {
  client_id: string
  client_name: string
  redirect_uris: string[]
}

export const selectApp = defineStatement<AppRow, { clientId: string }>(
  'oauth.select-app',
  `
  select client_id, client_name, redirect_uris
  from apps
  where client_id = $clientId::text`,
)

/** Records a use at `now`, unless one after `before` is recorded already. */
export const updateLastUse = defineStatement<never, { clientId: string; now: Date; before: Date }>(
  'oauth.update-last-use',
  `
  update apps
  set last_used_at = $now::timestamptz
  where client_id = $clientId::text and last_used_at <= $before::timestamptz`,
)

export const insertApp = defineStatement<
  never,
  {
    clientId: string
    clientName: string
    redirectUris: readonly string[]
    grantTypes: readonly string[]
    responseTypes: readonly string[]
    registeredAt: Date
  }
>(
  'oauth.insert-app',
  `
  insert into apps (
    client_id, client_name, redirect_uris, grant_types, response_types, registered_at, last_used_at
  )
  values (
    $clientId::text, $clientName::text, $redirectUris::text[], $grantTypes::text[], $responseTypes::text[],
    $registeredAt::timestamptz, $registeredAt::timestamptz
  )`,
)

/** An app under an id of our own: it is there afterwards as given, and used at that instant. */
export const upsertApp = defineStatement<
  never,
  {
    clientId: string
    clientName: string
    redirectUris: readonly string[]
    grantTypes: readonly string[]
    responseTypes: readonly string[]
    registeredAt: Date
  }
>(
  'oauth.upsert-app',
  `
  insert into apps (
    client_id, client_name, redirect_uris, grant_types, response_types, registered_at, last_used_at
  )
  values (
    $clientId::text, $clientName::text, $redirectUris::text[], $grantTypes::text[], $responseTypes::text[],
    $registeredAt::timestamptz, $registeredAt::timestamptz
  )
  on conflict (client_id) do update
  set client_name = excluded.client_name, redirect_uris = excluded.redirect_uris,
    last_used_at = excluded.last_used_at`,
)

/*
 * An attempt in the future, made before the clock was put back, counts as one of now.
 *
 * The condition makes it atomic: of two at once the second waits for the row and is checked against what the first one
 * wrote.
 */
const updateRegistrationHour = defineStatement<
  { tried: number },
  { now: Date; since: Date; attemptsMax: number }
>(
  'oauth.update-registration-hour',
  `
  update registration_hour
  set tried_at =
    array(
      select least(tried, $now::timestamptz) from unnest(tried_at) as tried where tried > $since::timestamptz
    )
    || $now::timestamptz
  where (select count(*) from unnest(tried_at) as tried where tried > $since::timestamptz) < $attemptsMax::integer
  returning cardinality(tried_at) as tried`,
)

/**
 * Counts an attempt and gives how many there were after `since`, with it. Undefined, and not counted, past the limit.
 */
export async function countRegistration(
  on: Queryable,
  attempt: { now: Date; since: Date; attemptsMax: number },
): Promise<number | undefined> {
  return (await updateRegistrationHour.first(on, attempt))?.tried
}

const settleRegistrationHour = defineStatement<never, { now: Date }>(
  'oauth.settle-registration-hour',
  `
  update registration_hour
  set tried_at = array(select least(tried, $now::timestamptz) from unnest(tried_at) as tried)
  where $now::timestamptz < any (tried_at)`,
)

const selectRegistrationHour = defineStatement<{ oldest: Date | null; newest: Date | null }, { since: Date }>(
  'oauth.select-registration-hour',
  `
  select min(tried) as oldest, max(tried) as newest
  from registration_hour, unnest(tried_at) as tried
  where tried > $since::timestamptz`,
)

/**
 * The first and the last attempt after `since`. Attempts later than `now` become attempts of now, and stop counting an
 * hour later.
 */
export async function readRegistrationHour(
  on: Queryable,
  { now, since }: { now: Date; since: Date },
): Promise<{ oldest: Date | null; newest: Date | null }> {
  await settleRegistrationHour.run(on, { now })
  return (await selectRegistrationHour.first(on, { since }))!
}

/** At most `rowsMax` apps last used at `before` or earlier that no member allows anything now. One in use is left. */
export const deleteAppsUnusedSince = defineStatement<never, { before: Date; now: Date; rowsMax: number }>(
  'oauth.delete-unused-apps',
  deleteSomeRows(
    'apps',
    'client_id',
    `last_used_at <= $before::timestamptz
      and not exists (
        select
        from app_connections
        where app_connections.client_id = apps.client_id
          and app_connections.ended_at is null
          and app_connections.expires_at > $now::timestamptz
      )`,
  ),
)
