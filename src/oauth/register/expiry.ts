import { defineExpiry } from '../../platform/database/expired-rows.ts'

/** How long an unused app is kept, in milliseconds. Then the expiry sweep deletes it. */
export const unusedMs = 30 * 24 * 60 * 60_000

/**
 * Deletes the apps that had not been used for 30 days since their registration or last use, and that no member allowed
 * anything (specification "Token and lifetime table").
 */
export const deleteUnusedApps = defineExpiry(
  'apps',
  'client_id',
  `last_used_at <= $at::timestamptz - ${unusedMs} * interval '1 millisecond'
      and not exists (
        select
        from app_connections
        where app_connections.client_id = apps.client_id
          and app_connections.ended_at is null
          and app_connections.expires_at > $at::timestamptz
      )`,
)
