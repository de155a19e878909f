import { defineStatement } from '../../database/define-statement.ts'
import type { Queryable } from '../../database/pool.ts'

export interface AppRow {
  client_id: string
  client_name: string
  redirect_uris: string[]
}

const readAppStatement = defineStatement<AppRow, [clientId: string]>(
  'oauth.read_app',
  `
  select client_id, client_name, redirect_uris
  from apps
  where client_id = $1::text`,
)

export function readApp(on: Queryable, clientId: string): Promise<AppRow | undefined> {
  return readAppStatement.first(on, [clientId])
}

const touchAppStatement = defineStatement<never, [clientId: string, now: Date, before: Date]>(
  'oauth.touch_app',
  `
  update apps
  set last_used_at = $2::timestamptz
  where client_id = $1::text and last_used_at <= $3::timestamptz`,
)

/** Notes a use at `now`, unless one after `before` is noted already. */
export async function updateLastUse(on: Queryable, clientId: string, now: Date, before: Date): Promise<void> {
  await touchAppStatement.run(on, [clientId, now, before])
}

export interface AppToInsert {
  clientId: string
  clientName: string
  redirectUris: readonly string[]
  grantTypes: readonly string[]
  responseTypes: readonly string[]
  registeredAt: Date
}

const insertAppStatement = defineStatement<
  never,
  [
    clientId: string,
    clientName: string,
    redirectUris: readonly string[],
    grantTypes: readonly string[],
    responseTypes: readonly string[],
    registeredAt: Date,
  ]
>(
  'oauth.insert_app',
  `
  insert into apps (
    client_id, client_name, redirect_uris, grant_types, response_types, registered_at, last_used_at
  )
  values (
    $1::text, $2::text, $3::text[], $4::text[], $5::text[], $6::timestamptz, $6::timestamptz
  )`,
)

export async function insertApp(on: Queryable, app: AppToInsert): Promise<void> {
  await insertAppStatement.run(on, [
    app.clientId,
    app.clientName,
    app.redirectUris,
    app.grantTypes,
    app.responseTypes,
    app.registeredAt,
  ])
}

/*
 * An attempt from after the present, made before the clock was put back, counts as one of now.
 *
 * The condition is what the statement is atomic by: of two at once the second waits for the row and is held against what
 * the first one wrote.
 */
const countRegistrationStatement = defineStatement<
  { tried: number },
  [now: Date, since: Date, attemptsMax: number]
>(
  'oauth.count_registration',
  `
  update registration_hour
  set tried_at =
    array(select least(tried, $1::timestamptz) from unnest(tried_at) as tried where tried > $2::timestamptz)
    || $1::timestamptz
  where (select count(*) from unnest(tried_at) as tried where tried > $2::timestamptz) < $3::integer
  returning cardinality(tried_at) as tried`,
)

/** Counts an attempt; how many there were after `since`, this one included. Undefined, and not counted, past the limit. */
export async function countRegistration(
  on: Queryable,
  now: Date,
  since: Date,
  attemptsMax: number,
): Promise<number | undefined> {
  return (await countRegistrationStatement.first(on, [now, since, attemptsMax]))?.tried
}

const settleRegistrationHourStatement = defineStatement<never, [now: Date]>(
  'oauth.settle_registration_hour',
  `
  update registration_hour
  set tried_at = array(select least(tried, $1::timestamptz) from unnest(tried_at) as tried)
  where $1::timestamptz < any (tried_at)`,
)

const readRegistrationHourStatement = defineStatement<
  { oldest: Date | null; newest: Date | null },
  [since: Date]
>(
  'oauth.read_registration_hour',
  `
  select min(tried) as oldest, max(tried) as newest
  from registration_hour, unnest(tried_at) as tried
  where tried > $1::timestamptz`,
)

/** The first and the last attempt after `since`. Attempts from after `now` become attempts of now, and leave an hour later. */
export async function readRegistrationHour(
  on: Queryable,
  now: Date,
  since: Date,
): Promise<{ oldest: Date | null; newest: Date | null }> {
  await settleRegistrationHourStatement.run(on, [now])
  return (await readRegistrationHourStatement.first(on, [since]))!
}

const deleteUnusedAppsStatement = defineStatement<never, [before: Date, now: Date, rowsMax: number]>(
  'oauth.delete_unused_apps',
  `
  delete from apps
  where client_id in (
    select client_id
    from apps
    where last_used_at <= $1::timestamptz
      and not exists (
        select
        from app_connections
        where app_connections.client_id = apps.client_id
          and app_connections.ended_at is null
          and app_connections.expires_at > $2::timestamptz
      )
    limit $3::integer
    for update skip locked
  )`,
)

/**
 * Removes apps that were last used at `before` or earlier and that no member allows anything now, at most `rowsMax`. One that
 * is being used right now is left. Says how many.
 */
export async function deleteUnusedApps(
  on: Queryable,
  before: Date,
  now: Date,
  rowsMax: number,
): Promise<number> {
  return (await deleteUnusedAppsStatement.run(on, [before, now, rowsMax])).rowCount ?? 0
}
