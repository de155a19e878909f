import type { Format } from '../../formats/formats.ts'
import { hash } from 'node:crypto'
import { compressContent } from './compress.ts'
import type { DeclaredNames } from '../../formats/declared-names.ts'
import { withSentBody } from './delivery-error.ts'
import type { ReadDelivery } from './delivery.ts'
import { readDocument, type ReadDocument } from './read-document.ts'

/** What is known of a document before its bytes are read. */
export interface DocumentEnvelope {
  idempotencyKey: string
  shapeVersion: number
  /** Null: to be found from the first bytes. */
  format: Format | null
}

/**
 * A document as a delivery. Pure. Throws a `DeliveryError` with what identifies the body.
 */
export function readDocumentDelivery(
  body: Uint8Array,
  envelope: DocumentEnvelope,
  declared: DeclaredNames,
): ReadDelivery {
  const { idempotencyKey, shapeVersion } = envelope
  const receivedSha256 = hash('sha256', body, 'buffer')
  let document: ReadDocument
  try {
    document = readDocument(body, envelope.format, declared)
  } catch (error) {
    throw withSentBody(error, { idempotencyKey, receivedSha256 })
  }
  const { format, content, droppedKeys } = document
  return {
    idempotencyKey,
    shapeVersion,
    format,
    droppedKeys,
    receivedSha256,
    ...compressContent(content),
    comparedBy: 'bytes',
    canonicalSha256: null,
  }
}
