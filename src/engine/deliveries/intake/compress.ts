import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { bodyBytesMax, type DeliveryContent } from './delivery.ts'

/**
 * Below this, compressing costs more than it saves: its setup takes 15 µs for any length, as much as all the rest of
 * accepting a body of 1 KiB.
 */
const compressFromBytes = 8_192

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Compresses content if that is worth it. May return the same bytes. */
export function compressContent(
  content: Uint8Array,
): Pick<DeliveryContent, 'content' | 'contentEncoding' | 'contentBytes'> {
  const contentBytes = content.length
  if (contentBytes >= compressFromBytes) {
    const compressed = zstdCompressSync(content, options)
    if (compressed.length < contentBytes)
      return { content: compressed, contentEncoding: 'zstd', contentBytes }
  }
  return { content, contentEncoding: 'identity', contentBytes }
}

/** The content as it was before `compressContent`. */
export function decompressContent(stored: Pick<DeliveryContent, 'content' | 'contentEncoding'>): Uint8Array {
  return stored.contentEncoding === 'identity'
    ? stored.content
    : zstdDecompressSync(stored.content, { maxOutputLength: bodyBytesMax })
}
