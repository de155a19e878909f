export class TooLargeError extends Error {}

/** Reads a stream to its end. @throws TooLargeError if it has more than `bytesMax` bytes */
export async function readBounded(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new TooLargeError(`There are more than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
