import { defineStatement } from '../../platform/database/define-statement.ts'

export const selectApp = defineStatement<
  { client_id: string; client_name: string; redirect_uris: string[] },
  { clientId: string }
>(
  'oauth.select-app',
  `select client_id, client_name, redirect_uris from apps where client_id = $clientId::text`,
)

/** Records a use at `now`, unless one after `before` is recorded. */
export const updateLastUse = defineStatement<never, { clientId: string; now: Date; before: Date }>(
  'oauth.update-last-use',
  `update apps set last_used_at = $now::timestamptz
   where client_id = $clientId::text and last_used_at <= $before::timestamptz`,
)

interface AppToInsert extends Record<string, unknown> {
  clientId: string
  clientName: string
  redirectUris: readonly string[]
  grantTypes: readonly string[]
  responseTypes: readonly string[]
  registeredAt: Date
}

const insertAppText = `insert into apps (
    client_id, client_name, redirect_uris, grant_types, response_types, registered_at, last_used_at
  )
  values (
    $clientId::text, $clientName::text, $redirectUris::text[], $grantTypes::text[], $responseTypes::text[],
    $registeredAt::timestamptz, $registeredAt::timestamptz
  )`

export const insertApp = defineStatement<never, AppToInsert>('oauth.insert-app', insertAppText)

/** An app with a fixed id: added or replaced, and used at that instant. */
export const upsertApp = defineStatement<never, AppToInsert>(
  'oauth.upsert-app',
  `${insertAppText}
  on conflict (client_id) do update
  set client_name = excluded.client_name, redirect_uris = excluded.redirect_uris,
    last_used_at = excluded.last_used_at`,
)

/**
 * Counts an attempt and gives how many there were after `since`, including it. No row, and not counted, past the limit. An
 * attempt in the future, from before the clock was set back, counts as one of now. The condition makes it atomic: of two
 * concurrent attempts the second waits for the row and is checked against what the first one wrote.
 */
export const countRegistration = defineStatement<
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

/** Attempts later than `now` become attempts of now, and stop counting an hour later. */
export const clampRegistrationHour = defineStatement<never, { now: Date }>(
  'oauth.clamp-registration-hour',
  `
  update registration_hour
  set tried_at = array(select least(tried, $now::timestamptz) from unnest(tried_at) as tried)
  where $now::timestamptz < any (tried_at)`,
)

/** The first and the last attempt after `since`. */
export const selectRegistrationHour = defineStatement<
  { oldest: Date | null; newest: Date | null },
  { since: Date }
>(
  'oauth.select-registration-hour',
  `
  select min(tried) as oldest, max(tried) as newest
  from registration_hour, unnest(tried_at) as tried
  where tried > $since::timestamptz`,
)
