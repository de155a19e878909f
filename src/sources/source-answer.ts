import type { MadeSource } from './create-source.ts'
import type { ShapeVersion, Source } from './source.ts'

/** A source as the pages' API and the commands say it. */
export function sourceAnswer(source: Source) {
  return {
    source_id: source.sourceId,
    name: source.name,
    system_kind: source.systemKind,
    delivery_way: source.deliveryWay,
    document_form: source.documentFormat,
    shape_version: source.shapeVersion,
    delivers: source.delivers,
    state: source.pausedAt === null ? 'active' : 'paused',
    paused_at: source.pausedAt?.toISOString() ?? null,
    created_at: source.createdAt.toISOString(),
    signing_secret_made_at: source.signingSecretMadeAt?.toISOString() ?? null,
    previous_signing_secret_ends_at: source.previousSigningSecretEndsAt?.toISOString() ?? null,
  }
}

/** A source, with its signing secret if this very call gave it one. */
export function madeSourceAnswer({ source, signingSecret }: MadeSource) {
  return {
    ...sourceAnswer(source),
    ...(signingSecret === undefined ? {} : { signing_secret: signingSecret }),
  }
}

/** A shape version as the pages' API and the commands say it. */
export function shapeVersionAnswer(version: ShapeVersion) {
  return {
    shape_version: version.shapeVersion,
    fields: version.fields,
    event_time: version.event_time,
    metrics: version.metrics,
    delivers: version.delivers,
    saved_by: version.savedBy && { member_id: version.savedBy.memberId, name: version.savedBy.name },
    saved_at: version.savedAt.toISOString(),
  }
}
