import { zstdDecompressSync } from 'node:zlib'
import { capacityBytes } from '../../tables/long-lists.ts'

/** Content as stored with a delivery. */
export interface StoredContent {
  content: Buffer
  content_encoding: 'identity' | 'zstd'
  /** Before compression. */
  content_bytes: number
}

/** The content before compression. Throws if it is not what was stored: a fault of ours, not the sender's. */
export function decodeContent(stored: StoredContent): Buffer {
  const { content_bytes: bytes } = stored
  const content =
    stored.content_encoding === 'zstd'
      ? // In one piece, with room for one byte more: smaller pieces would be joined in another buffer of that size.
        zstdDecompressSync(stored.content, {
          maxOutputLength: Math.max(bytes, 1),
          chunkSize: Math.max(capacityBytes(bytes + 1), 64),
        })
      : stored.content
  if (content.length !== bytes) throw new Error('stored content has another length than was stored')
  return content
}
