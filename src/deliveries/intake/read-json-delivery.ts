import { hash } from 'node:crypto'
import { canonicalSha256 } from './canonical-sha256.ts'
import { compressContent } from './compress.ts'
import type { DeclaredNames } from './declared-names.ts'
import type { ReadDelivery } from './delivery.ts'
import { dropUndeclared } from './drop-undeclared.ts'
import type { Envelope } from './envelope.ts'

/** The second half of parsing a JSON push, once the declared names of its shape version are known. Pure. */
export function readJsonDelivery(
  body: Uint8Array,
  envelope: Envelope,
  declared: DeclaredNames,
): ReadDelivery {
  const { idempotencyKey, shapeVersion, payloadStart, payloadEnd } = envelope
  const { content, droppedKeys } = dropUndeclared(body, payloadStart, payloadEnd, declared)
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
