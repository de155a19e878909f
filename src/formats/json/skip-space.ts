/** The position of the first byte at or after `at` that is not JSON white space, or the length of `bytes`. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break
    at++
  }
  return at
}
