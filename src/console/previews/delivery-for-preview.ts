import type { Field, Metric, Shape } from '../../engine/declarations/declaration.ts'
import { ownBytes } from '../../engine/deliveries/intake/own-bytes.ts'
import { readStoredContent } from '../../engine/parsing/worker/read-stored-content.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import { selectDeliveryContent } from './queries.ts'
import type { StoredDelivery } from './stored-for-preview.ts'

/** One stored delivery, and what it is parsed by. */
export interface DeliveryForPreview extends StoredDelivery {
  sandbox: boolean
  /** As it was sent. */
  shape: Shape
  /** In the current version of the source. */
  currentFields: Field[]
  /** What the source's figures are computed by. */
  projected: { event_time: string; metrics: Metric[] }
  salt: Uint8Array
}

/** @throws 400 with `artifact_id` if the source has no such delivery */
export async function readDeliveryForPreview(
  on: Queryable,
  companyId: string,
  sourceId: string,
  artifactId: string,
): Promise<DeliveryForPreview> {
  const row = await selectDeliveryContent.first(on, { companyId, sourceId, artifactId })
  if (row === undefined) throw invalidArgument('The source has no such delivery.', 'artifact_id')
  const content = await readStoredContent(on, { ...row, content: null, company_id: companyId })
  return {
    artifactId,
    idempotencyKey: row.idempotency_key,
    receivedAt: row.received_at.toISOString(),
    receiveNumber: Number(row.receive_number),
    shapeVersion: row.shape_version,
    format: row.format,
    content: ownBytes(content),
    encoding: row.content_encoding,
    contentBytes: row.content_bytes,
    sandbox: row.sandbox,
    shape: { fields: row.fields, event_time: row.event_time },
    currentFields: row.current_fields,
    projected: { event_time: row.projection_event_time, metrics: row.metrics },
    // Copied, since it is handed to another thread.
    salt: new Uint8Array(row.distinct_salt),
  }
}
