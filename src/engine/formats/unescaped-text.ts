import { shortEscape } from '../../formats/json/unescape.ts'

const hex = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  hex[digit.toString(16).charCodeAt(0)] = digit
  hex[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

/**
 * Decodes JSON strings with escapes to UTF-8, for rows parsed from their bytes: many senders escape everything but
 * ASCII, or every slash. One instance serves all strings.
 */
export class UnescapedText {
  /** The decoded string is its first `length` bytes. */
  readonly bytes: Uint8Array
  length = 0

  /** Room for a text of up to `bytesMax`. */
  constructor(bytesMax: number) {
    // The last code point may exceed the limit by three bytes.
    this.bytes = new Uint8Array(bytesMax + 4)
  }

  /**
   * Decodes the string whose first byte after the quote is at `at`. Returns the position of the closing quote; -1 if
   * the string is too long, broken, or holds NUL or a lone surrogate.
   */
  read(content: Uint8Array, at: number): number {
    const bytes = this.bytes
    const lengthMax = bytes.length - 4
    let length = 0
    let i = at
    for (;;) {
      const byte = content[i]!
      if (byte === 0x22) break
      // Written this way, the condition also catches `undefined` beyond the end of the content.
      if (!(byte >= 0x20) || length >= lengthMax) return -1
      if (byte !== 0x5c) {
        bytes[length++] = byte
        i++
        continue
      }
      const letter = content[i + 1]!
      if (letter !== 0x75) {
        const unescaped = shortEscape(letter)
        if (unescaped === 0) return -1
        bytes[length++] = unescaped
        i += 2
        continue
      }
      let point = codeUnit(content, i)
      if (point <= 0) return -1
      i += 6
      if (point >= 0xd800 && point <= 0xdfff) {
        const low =
          point <= 0xdbff && content[i] === 0x5c && content[i + 1] === 0x75 ? codeUnit(content, i) : -1
        if (low < 0xdc00 || low > 0xdfff) return -1
        point = ((point - 0xd800) << 10) + (low - 0xdc00) + 0x10000
        i += 6
      }
      if (point < 0x80) bytes[length++] = point
      else if (point < 0x800) {
        bytes[length++] = 0xc0 | (point >> 6)
        bytes[length++] = 0x80 | (point & 0x3f)
      } else {
        if (point < 0x10000) bytes[length++] = 0xe0 | (point >> 12)
        else {
          bytes[length++] = 0xf0 | (point >> 18)
          bytes[length++] = 0x80 | ((point >> 12) & 0x3f)
        }
        bytes[length++] = 0x80 | ((point >> 6) & 0x3f)
        bytes[length++] = 0x80 | (point & 0x3f)
      }
    }
    this.length = length
    return length > lengthMax ? -1 : i
  }
}

/** The code unit of the `\uXXXX` at `at`, or less than 0. */
function codeUnit(content: Uint8Array, at: number): number {
  const a = hex[content[at + 2]!] ?? -1
  const b = hex[content[at + 3]!] ?? -1
  const c = hex[content[at + 4]!] ?? -1
  const d = hex[content[at + 5]!] ?? -1
  return a < 0 || b < 0 || c < 0 || d < 0 ? -1 : (a << 12) | (b << 8) | (c << 4) | d
}
