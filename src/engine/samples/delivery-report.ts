import type { Refusal } from '../parsing/plan/refusal.ts'
import type { ReportedRemarks } from '../parsing/plan/remarks.ts'
import type { Delivers } from '../declarations/declaration.ts'
import type { DeliveryRow } from './queries.ts'

/** The state of a delivery and what parsing found [parse.states], [parse.refusals]. */
export interface DeliveryReport {
  artifactId: string
  sourceId: string
  sandbox: boolean
  receivedAt: Date
  shapeVersion: number
  delivers: Delivers
  droppedKeys: string[]
  contentBytes: number
  state: 'queued' | 'parsed' | 'unreadable'
  /** Why it is unreadable. */
  reason: string | null
  /** Null while it is queued. */
  rowsAccepted: number | null
  rowsRefused: number | null
  rowsDateAlone: number | null
}

/** With the first 100 refused rows, and the remarks on accepted ones. */
export type DeliveryReportInFull = DeliveryReport & { refusals: Refusal[]; remarks: ReportedRemarks }

export function toDeliveryReport(row: DeliveryRow): DeliveryReport {
  return {
    artifactId: row.artifact_id,
    sourceId: row.source_id,
    sandbox: row.sandbox,
    receivedAt: row.received_at,
    shapeVersion: row.shape_version,
    delivers: row.delivers,
    droppedKeys: row.dropped_keys,
    contentBytes: row.content_bytes,
    state: row.state ?? 'queued',
    reason: row.reason,
    rowsAccepted: row.rows_accepted,
    rowsRefused: row.rows_refused,
    rowsDateAlone: row.rows_date_alone,
  }
}
