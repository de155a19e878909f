import { declaredNames } from './declared-names.ts'
import { inlineBytesMax, type ReadDelivery } from './delivery.ts'
import type { FieldNames } from './field-names.ts'
import type { LargeBodies } from './large-bodies.ts'
import { ownBytes } from './own-bytes.ts'
import type { BodySource } from './read-delivery.ts'
import { type DocumentEnvelope, readDocumentDelivery } from './read-document-delivery.ts'

/**
 * Reads a body that is a document, against the shape version that it is written for: one of the source's, from 1 to its
 * current one. The body may be handed over to a thread, and be gone afterwards. Throws a `DeliveryError`.
 */
export type ReadDocumentBody = (
  body: Buffer,
  source: Omit<BodySource, 'shapeVersion'> & DocumentEnvelope,
) => ReadDelivery | Promise<ReadDelivery>

export const createReadDocument =
  (fieldNames: FieldNames, largeBodies: LargeBodies): ReadDocumentBody =>
  (body, { companyId, sourceId, ...envelope }) => {
    const names = fieldNames(companyId, sourceId, envelope.shapeVersion)
    if (body.length > inlineBytesMax) return readLarge(largeBodies, body, envelope, names)
    return names instanceof Promise
      ? names.then((read) => readDocumentDelivery(body, envelope, declaredNames(read)))
      : readDocumentDelivery(body, envelope, declaredNames(names))
  }

const readLarge = async (
  largeBodies: LargeBodies,
  body: Buffer,
  envelope: DocumentEnvelope,
  names: readonly string[] | Promise<readonly string[]>,
): Promise<ReadDelivery> =>
  largeBodies.readDocument({ body: ownBytes(body), envelope, fieldNames: await names })
