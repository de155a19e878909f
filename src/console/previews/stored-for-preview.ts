import type { Context } from '../../context.ts'
import { deliveriesBasis } from '../../engine/samples/basis.ts'
import type { Format } from '../../engine/formats/formats.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { ReadOnBasis } from '../../platform/reads/read-on-basis.ts'
import { bodyBytesMax } from '../../engine/deliveries/intake/delivery.ts'
import { ownBytes } from '../../engine/deliveries/intake/own-bytes.ts'
import { readStoredContent } from '../../engine/parsing/worker/read-stored-content.ts'
import type { Field } from '../../engine/declarations/declaration.ts'
import { selectContent, selectDeliveryShapes, selectLastContents, type LastContentRow } from './queries.ts'

/** Latest stored deliveries that a preview reads. */
export const previewDeliveriesMax = 20
/** Their bytes before compression; deliveries beyond it are left out, except the latest. */
const previewContentBytesMax = bodyBytesMax

interface StoredDelivery {
  artifactId: string
  idempotencyKey: string
  receivedAt: string
  receiveNumber: number
  shapeVersion: number
  format: Format
  /** As stored; owns its whole buffer. */
  content: Uint8Array
  encoding: 'identity' | 'zstd'
  contentBytes: number
}

/** The last deliveries of a source, and what aggregating them needs. */
export interface StoredForPreview {
  /** Latest first. */
  deliveries: StoredDelivery[]
  /** Whether they are test deliveries: there is none in production. */
  sandbox: boolean
  /** Whether none was left out for its size. */
  complete: boolean
  shapes: { shapeVersion: number; fields: Field[]; event_time: string }[]
  salt: Uint8Array
}

/**
 * Reads one delivery of a source, or its last production deliveries; without any, its last test deliveries. Which ones they are is of this
 * moment; their contents never change.
 *
 * @param readPool of the primary
 * @throws 400 with `artifact_id` if the source has no such delivery
 */
export async function readStoredForPreview(
  { readPool, read }: Pick<Context, 'readPool'> & { read: ReadOnBasis },
  companyId: string,
  sourceId: string,
  artifactId: string | null,
): Promise<StoredForPreview> {
  const rows =
    artifactId === null
      ? await listLastContents(readPool, companyId, sourceId)
      : await selectContent.rows(readPool, { companyId, sourceId, artifactId })
  if (artifactId !== null && rows.length === 0) {
    throw invalidArgument('The source has no such delivery.', 'artifact_id')
  }
  const fitting = rows.filter((row) => row.fits)
  const artifactIds = fitting.map((row) => row.artifact_id)
  const contents = await read({ companyId, basis: deliveriesBasis(companyId, artifactIds) }, (on) =>
    readContents(on, companyId, sourceId, fitting),
  )
  const sandbox = rows[0]?.sandbox ?? true
  return { ...contents, sandbox, complete: fitting.length === rows.length }
}

async function listLastContents(
  readPool: Queryable,
  companyId: string,
  sourceId: string,
): Promise<LastContentRow[]> {
  const bounds = {
    companyId,
    sourceId,
    deliveriesMax: previewDeliveriesMax,
    bytesMax: previewContentBytesMax,
  }
  const rows = await selectLastContents.rows(readPool, { ...bounds, sandbox: false })
  return rows.length > 0 ? rows : selectLastContents.rows(readPool, { ...bounds, sandbox: true })
}

async function readContents(
  on: Queryable,
  companyId: string,
  sourceId: string,
  fitting: readonly LastContentRow[],
): Promise<Pick<StoredForPreview, 'deliveries' | 'shapes' | 'salt'>> {
  const deliveries: StoredDelivery[] = []
  for (const row of fitting) {
    const read = await readStoredContent(on, { ...row, content: null, company_id: companyId })
    deliveries.push({
      artifactId: row.artifact_id,
      idempotencyKey: row.idempotency_key,
      receivedAt: row.received_at.toISOString(),
      receiveNumber: Number(row.receive_number),
      shapeVersion: row.shape_version,
      format: row.format,
      content: ownBytes(read),
      encoding: row.content_encoding,
      contentBytes: row.content_bytes,
    })
  }
  const shapeVersions = [...new Set(deliveries.map(({ shapeVersion }) => shapeVersion))]
  const shapes = await selectDeliveryShapes.rows(on, { companyId, sourceId, shapeVersions })
  return {
    deliveries,
    shapes: shapes.map(({ shape_version: shapeVersion, fields, event_time }) => {
      return { shapeVersion, fields, event_time }
    }),
    // Copied, since it is transferred to another thread.
    salt: new Uint8Array(shapes[0]?.distinct_salt ?? []),
  }
}
