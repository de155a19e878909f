import { hash } from 'node:crypto'
import { canonicalJson } from '../../../formats/json/canonical-json.ts'
import { decompressContent } from './compress.ts'
import type { ReadDelivery } from './delivery.ts'

/** SHA-256 of the canonical form of the JSON in `bytes[start, end)`, scanned before [push.same-body]. */
export function canonicalSha256(bytes: Uint8Array, start = 0, end: number = bytes.length): Buffer {
  return hash('sha256', canonicalJson(bytes, start, end), 'buffer')
}

/** What the hash of a JSON push's payload comes from: the stored hash, or else the content. */
export type StoredPayload = Pick<ReadDelivery, 'content' | 'contentEncoding' | 'canonicalSha256'>

/** SHA-256 of the canonical form of a JSON push's payload. */
export function payloadSha256(payload: StoredPayload): Uint8Array {
  return payload.canonicalSha256 ?? canonicalSha256(decompressContent(payload))
}
