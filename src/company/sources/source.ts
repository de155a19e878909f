import type { Format } from '../../engine/formats/formats.ts'
import type { Declaration, Delivers } from '../../engine/declarations/declaration.ts'
import type { ShapeVersionRow, SourceRow } from './queries.ts'

export const deliveryChannels = ['push', 'webhook'] as const
type DeliveryChannel = (typeof deliveryChannels)[number]

/** The settings of a source; changing them creates no new shape version. */
export interface SourceSettings {
  name: string
  /** A label of the company's own choosing: "web shop", "ledger". */
  systemKind: string
  channel: DeliveryChannel
  /** Null to detect it from the first bytes. */
  format: Format | null
}

export interface Source extends SourceSettings {
  sourceId: string
  /** The current one; every version from 1 to it exists. */
  shapeVersion: number
  /** Increases with every save of its settings or its declaration. */
  revision: number
  delivers: Delivers
  /** Null while it is active. */
  pausedAt: Date | null
  /** Null while it is active, and if the operator paused it. */
  pausedBy: MemberName | null
  pauseReason: string | null
  createdAt: Date
  /** The projection that is read. */
  projectionId: number
  /** Increases with every change of that projection's samples; decimal digits. */
  samplesVersion: string
  /** When the current signing secret was created; null for a push source. */
  signingSecretCreatedAt: Date | null
  /** When the previous secret ends after a rotation. */
  previousSigningSecretEndsAt: Date | null
}

/** A member as others see them. */
export interface MemberName {
  memberId: string
  /** Null until they have signed in. */
  name: string | null
}

/** One save of a declaration. */
export interface ShapeVersion extends Declaration {
  shapeVersion: number
  /** Null when the operator saved it. */
  savedBy: MemberName | null
  savedAt: Date
}

/** Null while it is active, and if the operator paused it. */
export function toPausedBy(row: Pick<SourceRow, 'paused_by' | 'paused_by_name'>): MemberName | null {
  return row.paused_by === null ? null : { memberId: row.paused_by, name: row.paused_by_name }
}

export function toSource(row: SourceRow): Source {
  return {
    sourceId: row.source_id,
    name: row.name,
    systemKind: row.system_kind,
    channel: row.channel,
    format: row.format,
    shapeVersion: row.shape_version,
    revision: row.revision,
    delivers: row.delivers,
    pausedAt: row.paused_at,
    pausedBy: toPausedBy(row),
    pauseReason: row.pause_reason,
    createdAt: row.created_at,
    projectionId: row.projection_id,
    samplesVersion: row.samples_version,
    signingSecretCreatedAt: row.signing_secret_created_at,
    previousSigningSecretEndsAt: row.previous_signing_secret_ends_at,
  }
}

export function toShapeVersion(row: ShapeVersionRow): ShapeVersion {
  return {
    shapeVersion: row.shape_version,
    fields: row.fields,
    event_time: row.event_time,
    metrics: row.metrics,
    delivers: row.delivers,
    savedBy: row.saved_by === null ? null : { memberId: row.saved_by, name: row.saved_by_name },
    savedAt: row.saved_at,
  }
}
