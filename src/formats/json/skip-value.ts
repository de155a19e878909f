/**
 * The position after the value that begins at `at` (its first byte, no white space before). The value must have been
 * scanned before (`JsonScanner`): nothing is checked here.
 */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === 0x22) return skipString(bytes, at)
  if (first !== 0x7b && first !== 0x5b) {
    let i = at + 1
    while (i < bytes.length) {
      const byte = bytes[i]!
      // A number or word ends before `,`, `]`, `}` or white space.
      if (byte <= 0x20 || byte === 0x2c || byte === 0x5d || byte === 0x7d) break
      i++
    }
    return i
  }
  let open = 1
  let i = at + 1
  while (open > 0) {
    const byte = bytes[i]!
    if (byte === 0x22) {
      i = skipString(bytes, i)
      continue
    }
    // `{` and `[` differ from each other, and so do `}` and `]`, in the bit 0x20 alone.
    const bracket = byte | 0x20
    if (bracket === 0x7b) open++
    else if (bracket === 0x7d) open--
    i++
  }
  return i
}

function skipString(bytes: Uint8Array, at: number): number {
  let i = at + 1
  for (;;) {
    const byte = bytes[i]!
    if (byte === 0x22) return i + 1
    i += byte === 0x5c ? 2 : 1
  }
}
