import type { ShapeVersion, Source } from './source.ts'

/** A source as the pages' API and the commands say it. */
export const sourceAnswer = (source: Source) => ({
  source_id: source.sourceId,
  name: source.name,
  system_kind: source.systemKind,
  delivery_way: source.deliveryWay,
  document_form: source.documentForm,
  shape_version: source.shapeVersion,
  delivers: source.delivers,
  state: source.pausedAt === null ? 'active' : 'paused',
  paused_at: source.pausedAt?.toISOString() ?? null,
  created_at: source.createdAt.toISOString(),
})

/** One save of its declaration likewise. */
export const shapeVersionAnswer = (version: ShapeVersion) => ({
  shape_version: version.shapeVersion,
  fields: version.fields,
  event_time: version.event_time,
  metrics: version.metrics,
  delivers: version.delivers,
  saved_by: version.savedBy && { member_id: version.savedBy.memberId, name: version.savedBy.name },
  saved_at: version.savedAt.toISOString(),
})
