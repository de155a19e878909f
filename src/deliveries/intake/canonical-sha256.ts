import { hash } from 'node:crypto'
import { canonicalJson } from '../../json/canonical-json.ts'
import { decompressContent } from './compress.ts'
import type { DeliveryContent } from './delivery.ts'

/** SHA-256 of the canonical form of the JSON in `bytes[start, end)`, scanned before [push.same-body]. */
export function canonicalSha256(bytes: Uint8Array, start = 0, end: number = bytes.length): Buffer {
  return hash('sha256', canonicalJson(bytes, start, end), 'buffer')
}

/** Of the payload that a JSON delivery's content was made from: as kept, or from the content. */
export function payloadSha256(
  delivery: Pick<DeliveryContent, 'content' | 'contentEncoding' | 'canonicalSha256'>,
): Uint8Array {
  return delivery.canonicalSha256 ?? canonicalSha256(decompressContent(delivery))
}
