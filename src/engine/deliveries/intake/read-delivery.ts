import { declaredNames } from '../../formats/declared-names.ts'
import { inlineBytesMax, type ReadDelivery } from './delivery.ts'
import { readEnvelope } from './envelope.ts'
import type { FieldNames } from './field-names.ts'
import type { LargeBodies } from './large-bodies.ts'
import { ownBytes } from './own-bytes.ts'
import { readJsonDelivery } from './read-json-delivery.ts'
import { shapeVersionFault } from './shape-version.ts'

/** The source that a body is sent to. */
export interface BodySource {
  companyId: string
  sourceId: string
  /** The current one; every version from 1 to it exists. */
  shapeVersion: number
}

/** What parsing bodies needs: the names that shapes declare, and threads for large bodies. */
export interface Intake {
  fieldNames: FieldNames
  largeBodies: LargeBodies
}

function checkVersion(shapeVersion: number, source: BodySource): void {
  if (shapeVersion > source.shapeVersion) {
    throw shapeVersionFault('shape_version', source.shapeVersion)
  }
}

async function readLarge(
  { fieldNames, largeBodies }: Intake,
  body: Buffer,
  source: BodySource,
): Promise<ReadDelivery> {
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

/**
 * Parses a JSON body by the shape version that it names. A large one is transferred to a thread, and so detached.
 * Throws a `DeliveryError`.
 */
export function readDelivery(
  intake: Intake,
  body: Buffer,
  source: BodySource,
): ReadDelivery | Promise<ReadDelivery> {
  if (body.length > inlineBytesMax) return readLarge(intake, body, source)
  const envelope = readEnvelope(body, source.shapeVersion)
  checkVersion(envelope.shapeVersion, source)
  const names = intake.fieldNames(source.companyId, source.sourceId, envelope.shapeVersion)
  return names instanceof Promise
    ? names.then((read) => readJsonDelivery(body, envelope, declaredNames(read)))
    : readJsonDelivery(body, envelope, declaredNames(names))
}
