/**
 * The decoded text of a JSON string. `start` is its opening quote, `end` is past its closing one; it must have been
 * scanned before. A lone surrogate and NUL are returned as they are; check them with `isStorableText`.
 */
export function jsonText(bytes: Uint8Array, start: number, end: number): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
}
