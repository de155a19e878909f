import { defineExpiry } from '../../platform/database/expired-rows.ts'

/** After how long refused calls are no longer shown, and the expiry sweep deletes them, in milliseconds. */
export const keptMs = 30 * 24 * 60 * 60_000

export const deleteOldRefusedCalls = defineExpiry(
  'refused_calls',
  'company_id, call_id',
  `called_at < $at::timestamptz - ${keptMs} * interval '1 millisecond'`,
)
