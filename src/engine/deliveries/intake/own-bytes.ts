/** The bytes in a buffer of their own, so that it can be handed to another thread. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}
