import type { DeliveryFormat } from '../deliveries/intake/delivery.ts'
import type { Channel } from '../deliveries/store/delivery.ts'
import type { Refusal } from '../parsing/plan/refusal.ts'
import { reportRemarks, type ReportedRemarks } from '../parsing/plan/remarks.ts'
import type { Delivers } from '../sources/declaration.ts'
import type { LoggedDeliveryInFullRow, LoggedDeliveryRow } from './queries.ts'

/** A delivery as the developer page lists it: how it came, and what became of it [parse.states]. */
export interface LoggedDelivery {
  artifactId: string
  sourceId: string
  channel: Channel
  format: DeliveryFormat
  key: string
  /** Null for a webhook, and where it is another company's: that is not for this one to see. */
  connection: { connectionId: string; name: string } | null
  sandbox: boolean
  receivedAt: Date
  shapeVersion: number
  delivers: Delivers
  contentBytes: number
  state: 'queued' | 'parsed' | 'unreadable'
  /** Why it is unreadable. */
  reason: string | null
  /** Null while it is queued. */
  rowsAccepted: number | null
  rowsRefused: number | null
  rowsDateAlone: number | null
  remarks: ReportedRemarks
}

export interface LoggedDeliveryInFull extends LoggedDelivery {
  receivedSha256: Buffer
  droppedKeys: string[]
  parsedAt: Date | null
  /** The first 100. */
  refusals: Refusal[]
  /** The deliveries beside it, of the same source, test or production as it is. */
  olderArtifactId: string | null
  newerArtifactId: string | null
}

export function toLoggedDelivery(row: LoggedDeliveryRow): LoggedDelivery {
  return {
    artifactId: row.artifact_id,
    sourceId: row.source_id,
    channel: row.connection_id === null ? 'webhook' : 'push',
    format: row.format,
    key: row.idempotency_key,
    connection:
      row.connection_id === null || row.connection_name === null
        ? null
        : { connectionId: row.connection_id, name: row.connection_name },
    sandbox: row.sandbox,
    receivedAt: row.received_at,
    shapeVersion: row.shape_version,
    delivers: row.delivers,
    contentBytes: row.content_bytes,
    state: row.state ?? 'queued',
    reason: row.reason,
    rowsAccepted: row.rows_accepted,
    rowsRefused: row.rows_refused,
    rowsDateAlone: row.rows_date_alone,
    remarks: reportRemarks(row.remarks),
  }
}

export function toLoggedDeliveryInFull(row: LoggedDeliveryInFullRow): LoggedDeliveryInFull {
  return {
    ...toLoggedDelivery(row),
    remarks: reportRemarks(row.remarks, row.dropped_keys),
    receivedSha256: row.received_sha256,
    droppedKeys: row.dropped_keys,
    parsedAt: row.parsed_at,
    refusals: (row.refusals ?? []) as Refusal[],
    olderArtifactId: row.older_artifact_id,
    newerArtifactId: row.newer_artifact_id,
  }
}
