/** Short escapes by the byte after the backslash; 0 for `u` and for bytes that form no escape. */
const shortEscapes = new Uint8Array(256)
for (const [letter, byte] of Object.entries({
  b: 8,
  t: 9,
  n: 10,
  f: 12,
  r: 13,
  '"': 34,
  '/': 47,
  '\\': 92,
})) {
  shortEscapes[letter.charCodeAt(0)] = byte
}

/** The value of a hexadecimal digit. */
const hex = new Uint8Array(128)
for (let digit = 0; digit < 16; digit++) {
  hex[digit.toString(16).charCodeAt(0)] = digit
  hex[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

/** The code unit of the `\uXXXX` at `at`, or -1 if it is something else. */
export function escapedUnit(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x5c || bytes[at + 1] !== 0x75) return -1
  return (
    (hex[bytes[at + 2]!]! << 12) |
    (hex[bytes[at + 3]!]! << 8) |
    (hex[bytes[at + 4]!]! << 4) |
    hex[bytes[at + 5]!]!
  )
}

/** The character of a short escape, by its letter; 0 if there is none. */
export function shortEscape(letter: number): number {
  return shortEscapes[letter] ?? 0
}

/** Writes a code point as UTF-8 at `to`; returns the position after it. */
export function writeCodePoint(out: Uint8Array, to: number, point: number): number {
  if (point < 0x80) out[to++] = point
  else {
    if (point < 0x800) out[to++] = 0xc0 | (point >> 6)
    else {
      if (point < 0x10000) out[to++] = 0xe0 | (point >> 12)
      else {
        out[to++] = 0xf0 | (point >> 18)
        out[to++] = 0x80 | ((point >> 12) & 0x3f)
      }
      out[to++] = 0x80 | ((point >> 6) & 0x3f)
    }
    out[to++] = 0x80 | (point & 0x3f)
  }
  return to
}

/**
 * Decodes the JSON string in `bytes[start, end)`, without its quotes, to UTF-8 in `out` from `to` on. Returns the
 * position after it. The string must have been scanned and hold no lone surrogate, as no key does (`JsonScanner`). The
 * result is never longer than the source, so `out` may be `bytes` if `to` is not after `start`.
 */
export function unescape(bytes: Uint8Array, start: number, end: number, out: Uint8Array, to: number): number {
  let from = start
  while (from < end) {
    const byte = bytes[from]!
    if (byte !== 0x5c) {
      out[to++] = byte
      from++
      continue
    }
    const unit = escapedUnit(bytes, from)
    if (unit < 0) {
      out[to++] = shortEscapes[bytes[from + 1]!]!
      from += 2
      continue
    }
    from += 6
    if (unit < 0xd800 || unit > 0xdfff) to = writeCodePoint(out, to, unit)
    else {
      const low = escapedUnit(bytes, from)
      from += 6
      to = writeCodePoint(out, to, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
    }
  }
  return to
}
