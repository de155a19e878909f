import type { CreatedSource } from './create-source.ts'
import type { SourceActivity, StoredDeliveries } from './source-activity.ts'
import type { MemberName, ShapeVersion, Source } from './source.ts'

/** A member as the console API names them. */
export function memberAnswer(member: MemberName | null) {
  return member && { member_id: member.memberId, name: member.name }
}

/** A source as the console API and the commands show it. */
export function sourceAnswer(source: Source) {
  return {
    source_id: source.sourceId,
    name: source.name,
    system_kind: source.systemKind,
    channel: source.channel,
    format: source.format,
    shape_version: source.shapeVersion,
    revision: source.revision,
    delivers: source.delivers,
    state: source.pausedAt === null ? 'active' : 'paused',
    paused_at: source.pausedAt?.toISOString() ?? null,
    paused_by: memberAnswer(source.pausedBy),
    pause_reason: source.pauseReason,
    created_at: source.createdAt.toISOString(),
    signing_secret_created_at: source.signingSecretCreatedAt?.toISOString() ?? null,
    previous_signing_secret_ends_at: source.previousSigningSecretEndsAt?.toISOString() ?? null,
  }
}

/** A source, with its signing secret if this call created one. */
export function toCreatedSourceAnswer({ source, signingSecret }: CreatedSource) {
  return {
    ...sourceAnswer(source),
    ...(signingSecret === undefined ? {} : { signing_secret: signingSecret }),
  }
}

/** The activity of a source as the console API has it. */
export function activityAnswer({ lastDelivery, freshness, rebuild }: SourceActivity) {
  return {
    last_delivery: lastDelivery && {
      artifact_id: lastDelivery.artifactId,
      idempotency_key: lastDelivery.idempotencyKey,
      received_at: lastDelivery.receivedAt.toISOString(),
      sandbox: lastDelivery.sandbox,
      state: lastDelivery.state,
      rows_accepted: lastDelivery.rowsAccepted,
      rows_refused: lastDelivery.rowsRefused,
      rows_date_alone: lastDelivery.rowsDateAlone,
    },
    freshness: {
      last_received_at: freshness.lastReceivedAt?.toISOString() ?? null,
      usual_seconds: freshness.usualSeconds,
      late: freshness.late,
    },
    rebuild: rebuild && {
      state: rebuild.state,
      done: rebuild.done,
      total: rebuild.total,
      seconds_left: rebuild.secondsLeft,
    },
  }
}

/** The stored deliveries of a source as the console API has them. */
export function storedAnswer({ deliveries, contentBytes, more }: StoredDeliveries) {
  return { deliveries, content_bytes: contentBytes, more }
}

/** A shape version as the console API and the commands show it. */
export function shapeVersionAnswer(version: ShapeVersion) {
  return {
    shape_version: version.shapeVersion,
    fields: version.fields,
    event_time: version.event_time,
    metrics: version.metrics,
    delivers: version.delivers,
    saved_by: memberAnswer(version.savedBy),
    saved_at: version.savedAt.toISOString(),
  }
}
