/**
 * Strict JSON over bytes (RFC 8259), without building values: a request's body and a delivery's content are only
 * read as byte ranges, so that what is stored is exactly what was received.
 *
 * How the parts of this folder are used together. All positions are byte offsets into the same array; a range is
 * `start` (first byte) to `end` (one past the last). The bytes must be proven UTF-8 beforehand (`buffer.isUtf8`).
 *
 *   checkJson(bytes): { start, end, oddTextAt }           strict, the whole text; throws JsonError   check-json.ts
 *   new JsonScanner(bytes).scanValue(at): number          strict, one value; throws JsonError        json-scanner.ts
 *
 * What follows trusts that the range has been scanned before, and is quicker for it:
 *
 *   skipValue(bytes, at): number                          the end of the value that begins at `at`   skip-value.ts
 *   skipSpace(bytes, at): number                          the next byte that is no white space       skip-space.ts
 *   jsonText(bytes, start, end): string                   a string (quotes included) decoded          json-text.ts
 *   isStorableText(text): boolean                         neither NUL nor lone surrogate             is-storable-text.ts
 *   new ObjectCursor(bytes).open(at) … next(): boolean    keyStart keyEnd valueStart valueEnd end    object-cursor.ts
 *   new ArrayCursor(bytes).open(at) … next(): boolean     itemStart, itemEnd() or leave(end), end    array-cursor.ts
 *   canonicalJson(bytes, start?, end?): Buffer            one form for one JSON value                canonical-json.ts
 *
 * Create a cursor once and open it for every row: nothing is allocated per member or item.
 */
import { JsonError } from './json-error.ts'
import { unescape } from './unescape.ts'

/** Lists and objects inside each other, the outermost counted. */
export const jsonDepthMax = 64

/** Up to this many keys are compared pairwise; an object with more gets a set. */
const pairwiseKeysMax = 16

const object = 1
const array = 2

/** Bytes that a string may have unescaped: not a control character, not `"`, not `\`. */
const plain = new Uint8Array(256).fill(1)
plain.fill(0, 0, 0x20)
plain[0x22] = 0
plain[0x5c] = 0

/** The value of a hexadecimal digit, or -1. */
const hex = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  hex[digit.toString(16).charCodeAt(0)] = digit
  hex[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

/**
 * What is open while a value is scanned. One set serves all scanners, as a scan runs to its end before another
 * begins: created for each small body it would cost more than the scan.
 */
const kinds = new Uint8Array(jsonDepthMax + 1)
/** For the object open at a depth: its first entry in the three lists of keys below. */
const keyBases = new Int32Array(jsonDepthMax + 1)
const keySets: (Set<string> | undefined)[] = Array.from({ length: jsonDepthMax + 1 })
const keyStarts = new Int32Array((jsonDepthMax + 1) * pairwiseKeysMax)
const keyEnds = new Int32Array((jsonDepthMax + 1) * pairwiseKeysMax)
/** Length, first and last byte of a key in one integer: what differs here needs no comparing of bytes. */
const keyPrints = new Int32Array((jsonDepthMax + 1) * pairwiseKeysMax)

/** One key with its escapes decoded, after a quote. */
let unescaped = Buffer.allocUnsafeSlow(256)

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/**
 * Checks JSON values inside `bytes[0, end)`. Time is linear in any bytes; nothing is recursive.
 * A scanner keeps no state between calls but `oddTextAt`, and may be used for any number of values of its bytes.
 */
export class JsonScanner {
  /**
   * Where the first string *value* begins that has NUL or a lone surrogate as an escape, or -1. Such a value is
   * legal and is kept; its row is refused when it is parsed [all.text].
   */
  oddTextAt = -1

  readonly #bytes: Uint8Array
  readonly #end: number
  /** The same bytes as a `Buffer`, once keys are decoded. */
  #text: Buffer | undefined
  /** The string just scanned had an escape. */
  #escaped = false
  /** The string just scanned has NUL or a lone surrogate. */
  #odd = false

  constructor(bytes: Uint8Array, end: number = bytes.length) {
    this.#bytes = bytes
    this.#end = end
  }

  /** The position after any white space at `at`. */
  skipSpace(at: number): number {
    const bytes = this.#bytes
    const end = this.#end
    while (at < end) {
      const byte = bytes[at]!
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break
      at++
    }
    return at
  }

  /**
   * The position after the value that begins at `at`, leading white space allowed. Throws a `JsonError` with the
   * first fault. What follows the value is not read.
   */
  scanValue(at: number): number {
    const bytes = this.#bytes
    const end = this.#end
    let depth = 0
    let keyTop = 0
    let i = at

    for (;;) {
      i = this.skipSpace(i)
      if (i >= end) throw new JsonError('syntax', end)
      const byte = bytes[i]!
      let opened = 0
      if (byte === 0x22) {
        const start = i
        i = this.#scanString(i)
        if (this.#odd && this.oddTextAt < 0) this.oddTextAt = start
      } else if (byte === 0x7b || byte === 0x5b) {
        if (depth === jsonDepthMax) throw new JsonError('too_deep', i)
        opened = byte === 0x7b ? object : array
        depth++
        kinds[depth] = opened
        keyBases[depth] = keyTop
        // What a scan that threw may have left.
        keySets[depth] = undefined
        i++
      } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) i = this.#scanNumber(i)
      else i = this.#scanWord(i)

      // After a value or an opening bracket: on to where the next value begins.
      for (;;) {
        if (depth === 0) return i
        i = this.skipSpace(i)
        if (i >= end) throw new JsonError('syntax', end)
        const next = bytes[i]!
        if (kinds[depth] === object) {
          if (next === 0x7d) {
            keyTop = keyBases[depth]!
            keySets[depth] = undefined
            depth--
            i++
            opened = 0
            continue
          }
          if (opened === 0) {
            if (next !== 0x2c) throw new JsonError('syntax', i)
            i = this.skipSpace(i + 1)
          }
          if (i >= end || bytes[i] !== 0x22) throw new JsonError('syntax', i)
          const keyStart = i
          i = this.#scanString(i)
          keyTop = this.#addKey(depth, keyTop, keyStart, i)
          i = this.skipSpace(i)
          if (i >= end || bytes[i] !== 0x3a) throw new JsonError('syntax', i)
          i++
          break
        }
        if (next === 0x5d) {
          depth--
          i++
          opened = 0
          continue
        }
        if (opened === 0) {
          if (next !== 0x2c) throw new JsonError('syntax', i)
          i++
        }
        break
      }
    }
  }

  /** Adds a key of the object open at `depth`; its range includes the quotes. Throws if the object has it already. */
  #addKey(depth: number, keyTop: number, start: number, end: number): number {
    const base = keyBases[depth]!
    if (this.#odd) throw new JsonError('key_text', start)
    if (this.#escaped || keySets[depth] !== undefined || keyTop - base >= pairwiseKeysMax) {
      this.#addKeyToSet(depth, base, keyTop, start, end)
      return keyTop
    }
    const bytes = this.#bytes
    const length = end - start
    const print = (length << 16) | (bytes[start + 1]! << 8) | bytes[end - 2]!
    for (let other = base; other < keyTop; other++) {
      if (keyPrints[other] !== print) continue
      let a = keyStarts[other]!
      if (keyEnds[other]! - a !== length) continue
      let b = start
      while (b < end && bytes[a] === bytes[b]) {
        a++
        b++
      }
      if (b === end) throw new JsonError('duplicate_key', start)
    }
    keyPrints[keyTop] = print
    keyStarts[keyTop] = start
    keyEnds[keyTop] = end
    return keyTop + 1
  }

  #addKeyToSet(depth: number, base: number, keyTop: number, start: number, end: number): void {
    let set = keySets[depth]
    if (set === undefined) {
      set = new Set()
      for (let other = base; other < keyTop; other++) {
        set.add(this.#keyName(keyStarts[other]!, keyEnds[other]!, false))
      }
      keySets[depth] = set
    }
    const sizeBefore = set.size
    set.add(this.#keyName(start, end, this.#escaped))
    if (set.size === sizeBefore) throw new JsonError('duplicate_key', start)
  }

  /**
   * A key as stored in the set: its UTF-8 bytes as Latin-1, which is quicker than decoding, after its quote, so that no
   * key looks like an integer: V8 hashes those differently and less well.
   */
  #keyName(start: number, end: number, escaped: boolean): string {
    this.#text ??= asBuffer(this.#bytes)
    if (!escaped) return this.#text.toString('latin1', start, end - 1)
    const length = end - start - 2
    if (unescaped.length <= length) unescaped = Buffer.allocUnsafeSlow(2 * length)
    unescaped[0] = 0x22
    return unescaped.toString('latin1', 0, unescape(this.#bytes, start + 1, end - 1, unescaped, 1))
  }

  /** From the opening quote at `at` to after the closing one. Sets `#escaped` and `#odd`. */
  #scanString(at: number): number {
    const bytes = this.#bytes
    const end = this.#end
    this.#escaped = false
    this.#odd = false
    let i = at + 1
    for (;;) {
      while (i < end && plain[bytes[i]!] === 1) i++
      if (i >= end) throw new JsonError('syntax', end)
      const byte = bytes[i]!
      if (byte === 0x22) return i + 1
      if (byte !== 0x5c) throw new JsonError('syntax', i)
      this.#escaped = true
      i = this.#scanEscape(i)
    }
  }

  #scanEscape(at: number): number {
    switch (this.#bytes[at + 1]) {
      case 0x22:
      case 0x5c:
      case 0x2f:
      case 0x62:
      case 0x66:
      case 0x6e:
      case 0x72:
      case 0x74:
        if (at + 1 >= this.#end) throw new JsonError('syntax', this.#end)
        return at + 2
      case 0x75: {
        const unit = this.#codeUnit(at)
        if (unit < 0) throw new JsonError('syntax', at)
        if (unit === 0) this.#odd = true
        else if (unit >= 0xd800 && unit <= 0xdfff) {
          const low = unit <= 0xdbff ? this.#codeUnit(at + 6) : -1
          if (low >= 0xdc00 && low <= 0xdfff) return at + 12
          this.#odd = true
        }
        return at + 6
      }
      default:
        throw new JsonError('syntax', at)
    }
  }

  /** The code unit of the `\uXXXX` at `at`, or -1 if there is none. */
  #codeUnit(at: number): number {
    const bytes = this.#bytes
    if (at + 6 > this.#end || bytes[at] !== 0x5c || bytes[at + 1] !== 0x75) return -1
    const a = hex[bytes[at + 2]!]!
    const b = hex[bytes[at + 3]!]!
    const c = hex[bytes[at + 4]!]!
    const d = hex[bytes[at + 5]!]!
    // One of them being -1 makes the whole negative.
    return a < 0 || b < 0 || c < 0 || d < 0 ? -1 : (a << 12) | (b << 8) | (c << 4) | d
  }

  #scanNumber(at: number): number {
    const bytes = this.#bytes
    const end = this.#end
    let i = at
    if (bytes[i] === 0x2d) i++
    if (i < end && bytes[i] === 0x30) i++
    else i = this.#scanDigits(i)
    if (i < end && bytes[i] === 0x2e) i = this.#scanDigits(i + 1)
    if (i < end && (bytes[i]! | 0x20) === 0x65) {
      i++
      if (i < end && (bytes[i] === 0x2b || bytes[i] === 0x2d)) i++
      i = this.#scanDigits(i)
    }
    return i
  }

  #scanDigits(at: number): number {
    const bytes = this.#bytes
    const end = this.#end
    let i = at
    while (i < end && bytes[i]! >= 0x30 && bytes[i]! <= 0x39) i++
    if (i === at) throw new JsonError('syntax', i)
    return i
  }

  #scanWord(at: number): number {
    const bytes = this.#bytes
    const word = bytes[at] === 0x74 ? 'true' : bytes[at] === 0x66 ? 'false' : 'null'
    if (at + word.length > this.#end) throw new JsonError('syntax', at)
    for (let k = 0; k < word.length; k++) {
      if (bytes[at + k] !== word.charCodeAt(k)) throw new JsonError('syntax', at)
    }
    return at + word.length
  }
}
