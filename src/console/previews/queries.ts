import type { Format } from '../../engine/formats/formats.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Field, Metric } from '../../engine/declarations/declaration.ts'

export interface LastContentRow {
  artifact_id: string
  idempotency_key: string
  received_at: Date
  receive_number: string
  shape_version: number
  format: Format
  content_encoding: 'identity' | 'zstd'
  content_bytes: number
  stored_bytes: number
  sandbox: boolean
  fits: boolean
}

const contentColumns = `deliveries.artifact_id, deliveries.idempotency_key, deliveries.received_at,
       deliveries.receive_number, deliveries.shape_version, deliveries.format, deliveries.content_encoding,
       deliveries.content_bytes, octet_length(deliveries.content) as stored_bytes, deliveries.sandbox`

/**
 * A source's last test or production deliveries, latest first, without their contents. `fits`: it and the later ones have
 * at most `$bytesMax` bytes together; always true for the latest.
 */
export const selectLastContents = defineStatement<
  LastContentRow,
  { companyId: string; sourceId: string; sandbox: boolean; deliveriesMax: number; bytesMax: number }
>(
  'previews.select-last-contents',
  `select latest.artifact_id, latest.idempotency_key, latest.received_at, latest.receive_number, latest.shape_version,
     latest.format, latest.content_encoding, latest.content_bytes, latest.stored_bytes, latest.sandbox,
     sum(latest.content_bytes) over so_far <= $bytesMax::int8 or row_number() over so_far = 1 as fits
   from (
     select ${contentColumns}
     from deliveries
     where deliveries.company_id = $companyId::uuid and deliveries.source_id = $sourceId::uuid
       and deliveries.sandbox = $sandbox::boolean
     order by deliveries.receive_number desc
     limit $deliveriesMax::integer
   ) as latest
   window so_far as (order by latest.receive_number desc rows unbounded preceding)
   order by latest.receive_number desc
   limit $deliveriesMax::integer`,
)

/** One delivery of a source, in the same form. */
export const selectContent = defineStatement<
  LastContentRow,
  { companyId: string; sourceId: string; artifactId: string }
>(
  'previews.select-content',
  `select ${contentColumns}, true as fits
   from deliveries
   where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = $artifactId::uuid
     and deliveries.source_id = $sourceId::uuid`,
)

/** The fields of some shape versions of a source, and its salt. */
export const selectDeliveryShapes = defineStatement<
  { shape_version: number; fields: Field[]; event_time: string; distinct_salt: Buffer },
  { companyId: string; sourceId: string; shapeVersions: number[] }
>(
  'previews.select-delivery-shapes',
  `select shapes.shape_version, shapes.fields, shapes.event_time, sources.distinct_salt
   from unnest($shapeVersions::integer[]) as wanted (shape_version)
   join shapes on shapes.company_id = $companyId::uuid and shapes.source_id = $sourceId::uuid
     and shapes.shape_version = wanted.shape_version
   join sources on sources.company_id = shapes.company_id and sources.source_id = shapes.source_id`,
)

export interface CheckedShapeRow {
  fields: Field[]
  event_time: string
  projected_event_time: string
  metrics: Metric[]
  distinct_salt: Buffer
}

/** What parsing a delivery of one shape version into the current projection of its source needs. */
export const selectCheckedShape = defineStatement<
  CheckedShapeRow,
  { companyId: string; sourceId: string; shapeVersion: number }
>(
  'previews.select-checked-shape',
  `select shapes.fields, shapes.event_time, projected.event_time as projected_event_time, projected.metrics,
     sources.distinct_salt
   from sources
   join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
     and projections.projection_id = sources.projection_id
   join shapes as projected on projected.company_id = sources.company_id and projected.source_id = sources.source_id
     and projected.shape_version = projections.shape_version
   join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
     and shapes.shape_version = $shapeVersion::integer
   where sources.company_id = $companyId::uuid and sources.source_id = $sourceId::uuid`,
)
