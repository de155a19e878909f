import { hash } from 'node:crypto'
import { compressContent } from './compress.ts'
import type { DeclaredNames } from './declared-names.ts'
import type { DeliveryFormat, ReadDelivery } from './delivery.ts'
import { readDocument } from './read-document.ts'

/** What is known of a document before its bytes are looked at. */
export interface DocumentEnvelope {
  idempotencyKey: string
  shapeVersion: number
  /** Null: found from the first bytes. */
  format: DeliveryFormat | null
}

/** A document as a delivery. What was sent as bytes is compared by its bytes [push.same-body]. Pure. */
export const readDocumentDelivery = (
  body: Uint8Array,
  envelope: DocumentEnvelope,
  declared: DeclaredNames,
): ReadDelivery => {
  const { idempotencyKey, shapeVersion } = envelope
  const { format, content, droppedKeys } = readDocument(body, envelope.format, declared)
  const receivedSha256 = hash('sha256', body, 'buffer')
  return {
    idempotencyKey,
    shapeVersion,
    format,
    droppedKeys,
    receivedSha256,
    ...compressContent(content),
    canonicalSha256: receivedSha256,
  }
}
