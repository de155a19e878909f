import type { Refusal } from '../../engine/parsing/plan/refusal.ts'
import { reportRemarks } from '../../engine/parsing/plan/remarks.ts'
import type { LoggedDeliveryInFullRow, LoggedDeliveryRow } from './queries.ts'

/** A delivery as the developer page and the commands list it, with its state [parse.states]. */
export type LoggedDelivery = ReturnType<typeof toLoggedDelivery>

export function toLoggedDelivery(row: LoggedDeliveryRow) {
  const { connection_id, connection_name } = row
  const { missing_values, rows_far_ahead } = reportRemarks(row.remarks)
  return {
    artifact_id: row.artifact_id,
    source_id: row.source_id,
    channel: connection_id === null ? ('webhook' as const) : ('push' as const),
    format: row.format,
    key: row.idempotency_key,
    // The connection of another company is not named.
    connection:
      connection_id === null || connection_name === null ? null : { connection_id, name: connection_name },
    sandbox: row.sandbox,
    received_at: row.received_at,
    shape_version: row.shape_version,
    delivers: row.delivers,
    content_bytes: row.content_bytes,
    state: row.state ?? ('queued' as const),
    reason: row.reason,
    rows_accepted: row.rows_accepted,
    rows_refused: row.rows_refused,
    rows_date_alone: row.rows_date_alone,
    missing_values,
    rows_far_ahead,
  }
}

/** The same with the first 100 refused rows, and its neighbours in the order of receipt. */
export function toLoggedDeliveryInFull(row: LoggedDeliveryInFullRow) {
  return {
    ...toLoggedDelivery(row),
    ...reportRemarks(row.remarks, row.dropped_keys),
    sha256: row.received_sha256.toString('hex'),
    dropped_keys: row.dropped_keys,
    parsed_at: row.parsed_at,
    refusals: (row.refusals ?? []) as Refusal[],
    older_artifact_id: row.older_artifact_id,
    newer_artifact_id: row.newer_artifact_id,
  }
}
