import type { Format } from '../../formats/formats.ts'
/** A delivery between its body and its row. */

/** A body of this size passes, a byte more is 413 (specification "Limits"). */
export const bodyBytesMax = 8_388_608

/**
 * Larger bodies are parsed in a worker thread, so that they do not delay small ones: any body occupies the event loop
 * for a few milliseconds at most. Transferring such a body takes less time than parsing it.
 */
export const inlineBytesMax = 65_536

/** Content as it is stored: the payload less undeclared keys, otherwise as received [push.content]. */
export interface DeliveryContent {
  content: Uint8Array
  contentEncoding: 'identity' | 'zstd'
  /** Before compression. */
  contentBytes: number
}

/**
 * What is compared of two bodies under one key [push.same-body]: the JSON value of a push, or a document's bytes.
 */
export type ComparedBy = 'value' | 'bytes'

/** A parsed body: what is stored of it, and what the receipt contains. */
export interface ReadDelivery extends DeliveryContent {
  idempotencyKey: string
  shapeVersion: number
  format: Format
  /** Undeclared keys in code point order, at most 50. */
  droppedKeys: string[]
  comparedBy: ComparedBy
  /**
   * SHA-256 of the canonical form of a JSON push's payload as received; kept only if undeclared keys were dropped. If
   * none were, it can be computed from the content.
   */
  canonicalSha256: Uint8Array | null
  /** SHA-256 of the body as received. */
  receivedSha256: Uint8Array
}
