import { subtle } from 'node:crypto'

/** Contents above it are sent in parts of it, the last one smaller. S3 wants 5 MiB or more. */
export const partBytes = 16 * 1_048_576

export function toParts(content: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(content.byteLength / partBytes) }, (_, index) =>
    content.subarray(index * partBytes, (index + 1) * partBytes),
  )
}

/** In another thread. */
export async function toSha256(content: Uint8Array): Promise<Buffer> {
  return Buffer.from(await subtle.digest('SHA-256', content as Uint8Array<ArrayBuffer>))
}

/**
 * Whether `x-amz-checksum-sha256` is that of the content. That of an object in parts is the checksum of theirs, with their
 * number.
 */
export async function isChecksumOf(checksum: string, content: Uint8Array): Promise<boolean> {
  const [, count] = checksum.split('-')
  if (count === undefined) return checksum === (await toSha256(content)).toString('base64')
  const parts = toParts(content)
  // The operator's tools copied it in other parts.
  if (Number(count) !== parts.length) return true
  const checksums = Buffer.concat(await Promise.all(parts.map(toSha256)))
  return checksum === `${(await toSha256(checksums)).toString('base64')}-${count}`
}
