import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { declaredNames } from '../../formats/declared-names.ts'
import { inlineBytesMax, type ReadDelivery } from './delivery.ts'
import { withSentBody } from './delivery-error.ts'
import { ownBytes } from './own-bytes.ts'
import type { BodySource, Intake } from './read-delivery.ts'
import { type DocumentEnvelope, readDocumentDelivery } from './read-document-delivery.ts'
import { readShapeVersionHeader } from './shape-version.ts'

async function refuse(
  { largeBodies }: Intake,
  body: Buffer,
  idempotencyKey: string,
  error: unknown,
): Promise<never> {
  const receivedSha256 =
    body.length > inlineBytesMax
      ? await largeBodies.receivedSha256(ownBytes(body))
      : hash('sha256', body, 'buffer')
  throw withSentBody(error, { idempotencyKey, receivedSha256 })
}

async function readLarge(
  { largeBodies }: Intake,
  body: Buffer,
  envelope: DocumentEnvelope,
  names: readonly string[] | Promise<readonly string[]>,
): Promise<ReadDelivery> {
  return largeBodies.readDocument({ body: ownBytes(body), envelope, fieldNames: await names })
}

/**
 * Parses a body that is a document, by the shape version that its headers name or else the source's current one. The
 * body may be transferred to a thread, and so detached. Throws a `DeliveryError` with what identifies the body.
 */
export function readDocumentBody(
  intake: Intake,
  body: Buffer,
  headers: IncomingHttpHeaders,
  source: BodySource & Omit<DocumentEnvelope, 'shapeVersion'>,
): ReadDelivery | Promise<ReadDelivery> {
  const { companyId, sourceId, idempotencyKey, format } = source
  let shapeVersion: number
  try {
    shapeVersion = readShapeVersionHeader(headers, source.shapeVersion)
  } catch (error) {
    return refuse(intake, body, idempotencyKey, error)
  }
  const envelope = { idempotencyKey, shapeVersion, format }
  const names = intake.fieldNames(companyId, sourceId, shapeVersion)
  if (body.length > inlineBytesMax) return readLarge(intake, body, envelope, names)
  return names instanceof Promise
    ? names.then((read) => readDocumentDelivery(body, envelope, declaredNames(read)))
    : readDocumentDelivery(body, envelope, declaredNames(names))
}
