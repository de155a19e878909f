import { hash } from 'node:crypto'
import { canonicalSha256 } from './canonical-sha256.ts'
import { compressContent } from './compress.ts'
import type { DeclaredNames } from '../../formats/declared-names.ts'
import type { ReadDelivery } from './delivery.ts'
import { DeliveryError } from './delivery-error.ts'
import { FormatError } from '../../../formats/documents/format-error.ts'
import { dropUndeclared, type KeptContent } from '../../formats/drop-undeclared.ts'
import type { Envelope } from './envelope.ts'

/** The second half of parsing a JSON push, once the declared names of its shape version are known. Pure. */
export function readJsonDelivery(
  body: Uint8Array,
  envelope: Envelope,
  declared: DeclaredNames,
): ReadDelivery {
  const { idempotencyKey, shapeVersion, payloadStart, payloadEnd } = envelope
  const { content, droppedKeys } = keepDeclared(body, payloadStart, payloadEnd, declared)
  return {
    idempotencyKey,
    shapeVersion,
    format: 'json',
    droppedKeys,
    receivedSha256: hash('sha256', body, 'buffer'),
    ...compressContent(content),
    comparedBy: 'value',
    canonicalSha256: droppedKeys.length === 0 ? null : canonicalSha256(body, payloadStart, payloadEnd),
  }
}

function keepDeclared(body: Uint8Array, start: number, end: number, declared: DeclaredNames): KeptContent {
  try {
    return dropUndeclared(body, start, end, declared, 'payload')
  } catch (error) {
    if (error instanceof FormatError) throw new DeliveryError(error.message, 'payload')
    throw error
  }
}
