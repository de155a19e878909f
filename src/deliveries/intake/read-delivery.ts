import { declaredNames } from './declared-names.ts'
import { inlineBytesMax, type ReadDelivery } from './delivery.ts'
import { DeliveryError } from './delivery-error.ts'
import { readEnvelope } from './envelope.ts'
import type { FieldNames } from './field-names.ts'
import type { LargeBodies } from './large-bodies.ts'
import { ownBytes } from './own-bytes.ts'
import { readJsonDelivery } from './read-json-delivery.ts'

/** The source that a body is written for. */
export interface BodySource {
  companyId: string
  sourceId: string
  /** The current one; every version from 1 to it exists. */
  shapeVersion: number
}

/** Reads a JSON body against the shape version that it names. Throws a `DeliveryError`. */
export type ReadBody = (body: Buffer, source: BodySource) => ReadDelivery | Promise<ReadDelivery>

function checkVersion(shapeVersion: number, source: BodySource): void {
  if (shapeVersion > source.shapeVersion) {
    throw new DeliveryError('shape_version is not a shape version of the source.', 'shape_version')
  }
}

export function createReadDelivery(fieldNames: FieldNames, largeBodies: LargeBodies): ReadBody {
  const readLarge = async (body: Buffer, source: BodySource): Promise<ReadDelivery> => {
    const { companyId, sourceId } = source
    let bytes = ownBytes(body)
    let { shapeVersion } = source
    for (;;) {
      const names = await fieldNames(companyId, sourceId, shapeVersion)
      const answer = await largeBodies.read({ body: bytes, shapeVersion, fieldNames: names })
      if ('delivery' in answer) return answer.delivery
      checkVersion(answer.shapeVersion, source)
      bytes = answer.body
      shapeVersion = answer.shapeVersion
    }
  }

  return (body, source) => {
    if (body.length > inlineBytesMax) return readLarge(body, source)
    const envelope = readEnvelope(body)
    checkVersion(envelope.shapeVersion, source)
    const names = fieldNames(source.companyId, source.sourceId, envelope.shapeVersion)
    return names instanceof Promise
      ? names.then((read) => readJsonDelivery(body, envelope, declaredNames(read)))
      : readJsonDelivery(body, envelope, declaredNames(names))
  }
}
