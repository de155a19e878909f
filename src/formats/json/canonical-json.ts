import { jsonDepthMax } from './json-scanner.ts'
import { escapedUnit, shortEscape, writeCodePoint } from './unescape.ts'

/**
 * One form for one JSON value [push.same-body]: no white space, keys in code point order, characters as they are
 * wherever JSON allows it and otherwise by one escape each (as `JSON.stringify` writes them), numbers by their text.
 * Two values are the same when these bytes are.
 *
 * `bytes[start, end)` must hold one value that has been scanned before (`JsonScanner`), white space around it
 * allowed; so no key is there twice. Linear but for the sorting of keys.
 */
export function canonicalJson(bytes: Uint8Array, start = 0, end: number = bytes.length): Buffer {
  const writer = new CanonicalWriter(bytes, start, end)
  writer.write()
  return writer.out.subarray(0, writer.length)
}

const plain = new Uint8Array(256).fill(1)
plain.fill(0, 0, 0x20)
plain[0x22] = 0
plain[0x5c] = 0

/** Up to this many members of an object are sorted by insertion, which is quickest for few. */
const insertionMax = 16

/**
 * For the list or object open at a depth: its members' first entry in `#members`, -1 for a list. One serves all
 * writers, as a writer runs to its end before another begins.
 */
const bases = new Int32Array(jsonDepthMax + 1)

/** The letter of the short escape that `JSON.stringify` writes a character of ASCII with; 0 where it has none. */
const letters = new Uint8Array(128)
for (const letter of 'btnfr"\\') letters[shortEscape(letter.charCodeAt(0))] = letter.charCodeAt(0)

const hexDigits = Buffer.from('0123456789abcdef')

class CanonicalWriter {
  /** The canonical form is never longer than its source. */
  readonly out: Buffer
  length = 0

  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #start: number
  #after = 0
  /** Of every member of the open objects, in `out`: where it begins (its key's quote), where its key ends. */
  readonly #members: number[] = []
  #scratch: Buffer | undefined

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.out = Buffer.allocUnsafe(end - start)
  }

  write(): void {
    const bytes = this.#bytes
    const end = this.#end
    const out = this.out
    const members = this.#members
    let from = this.#start
    let to = 0
    let depth = 0
    let expectsKey = false
    while (from < end) {
      const byte = bytes[from]!
      switch (byte) {
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          from++
          continue
        case 0x22: {
          const start = to
          to = this.#writeString(from, to)
          from = this.#after
          if (expectsKey) {
            members.push(start, to)
            expectsKey = false
          }
          continue
        }
        case 0x7b:
          bases[++depth] = members.length
          expectsKey = true
          break
        case 0x5b:
          bases[++depth] = -1
          expectsKey = false
          break
        case 0x7d: {
          const base = bases[depth--]!
          if (members.length - base > 2) this.#sort(base, to)
          members.length = base
          expectsKey = false
          break
        }
        case 0x5d:
          depth--
          break
        case 0x2c:
          expectsKey = bases[depth]! >= 0
          break
        default:
        // `:`, a number or a word: its bytes as they are.
      }
      out[to++] = byte
      from++
    }
    this.length = to
  }

  /**
   * Writes the string at `from`, quotes included, to `to`; returns its end there and sets `#after` to its end in the
   * source.
   */
  #writeString(from: number, to: number): number {
    const bytes = this.#bytes
    const out = this.out
    out[to++] = 0x22
    let next = bytes[++from]!
    for (;;) {
      while (plain[next] === 1) {
        out[to++] = next
        next = bytes[++from]!
      }
      if (next === 0x22) break
      const letter = bytes[from + 1]!
      if (letter === 0x75) {
        to = this.#rewriteUnit(from, to)
        from = this.#after
      } else {
        to = this.#writeUnit(shortEscape(letter), to)
        from += 2
      }
      next = bytes[from]!
    }
    out[to++] = next
    this.#after = from + 1
    return to
  }

  /** Decodes the `\uXXXX` at `from`, or the two of a pair, and writes it to `to`. Sets `#after` to its end. */
  #rewriteUnit(from: number, to: number): number {
    const unit = escapedUnit(this.#bytes, from)
    this.#after = from + 6
    if (unit < 0xd800 || unit > 0xdbff) return this.#writeUnit(unit, to)
    const low = escapedUnit(this.#bytes, from + 6)
    if (low < 0xdc00 || low > 0xdfff) return this.#writeUnit(unit, to)
    this.#after = from + 12
    return writeCodePoint(this.out, to, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
  }

  /** As `JSON.stringify` writes it. */
  #writeUnit(unit: number, to: number): number {
    const out = this.out
    const letter = unit < 128 ? letters[unit]! : 0
    const isPlain = unit >= 0x20 && (unit < 0xd800 || unit > 0xdfff)
    if (letter === 0 && isPlain) return writeCodePoint(out, to, unit)
    out[to++] = 0x5c
    if (letter !== 0) out[to++] = letter
    else {
      out[to++] = 0x75
      for (let shift = 12; shift >= 0; shift -= 4) out[to++] = hexDigits[(unit >> shift) & 0xf]!
    }
    return to
  }

  /** Sorts the members of the object just written by key. Its closing brace is not written yet. */
  #sort(base: number, end: number): void {
    const members = this.#members
    const count = (members.length - base) / 2
    let sorted = true
    for (let k = base + 2; sorted && k < members.length; k += 2) sorted = this.#compare(k - 2, k) < 0
    if (sorted) return

    const order: number[] = []
    for (let k = base; k < members.length; k += 2) order.push(k)
    if (count > insertionMax) order.sort((a, b) => this.#compare(a, b))
    else {
      for (let k = 1; k < count; k++) {
        const member = order[k]!
        let to = k
        while (to > 0 && this.#compare(order[to - 1]!, member) > 0) {
          order[to] = order[to - 1]!
          to--
        }
        order[to] = member
      }
    }

    const out = this.out
    const scratch = (this.#scratch ??= Buffer.allocUnsafe(out.length))
    const first = members[base]!
    let to = 0
    for (let k = 0; k < count; k++) {
      const member = order[k]!
      // A member ends before the comma of the next one, the last at `end`.
      const memberEnd = member + 2 < members.length ? members[member + 2]! - 1 : end
      if (k > 0) scratch[to++] = 0x2c
      let from = members[member]!
      if (memberEnd - from > 64) to += out.copy(scratch, to, from, memberEnd)
      else while (from < memberEnd) scratch[to++] = out[from++]!
    }
    if (to > 64) scratch.copy(out, first, 0, to)
    else for (let k = 0; k < to; k++) out[first + k] = scratch[k]!
  }

  /** Compares the keys of two members, given as their entries in `#members`, by code points. */
  #compare(a: number, b: number): number {
    const out = this.out
    const members = this.#members
    // Both without their quotes. The order of UTF-8 is the order of code points.
    let i = members[a]! + 1
    let j = members[b]! + 1
    const iEnd = members[a + 1]! - 1
    const jEnd = members[b + 1]! - 1
    while (i < iEnd && j < jEnd) {
      const left = out[i]!
      const right = out[j]!
      if (left !== 0x5c && right !== 0x5c) {
        if (left !== right) return left - right
        i++
        j++
        continue
      }
      const order = this.#weight(i) - this.#weight(j)
      if (order !== 0) return order
      // Each character has one canonical form, so both have this length.
      const length = left !== 0x5c ? 1 : out[i + 1] === 0x75 ? 6 : 2
      i += length
      j += length
    }
    return iEnd - i - (jEnd - j)
  }

  /**
   * The character at `at` by its first byte in UTF-8. Keys say neither NUL nor lone surrogates (`JsonScanner`), so one
   * that is escaped in the canonical form is of ASCII.
   */
  #weight(at: number): number {
    const out = this.out
    if (out[at] !== 0x5c) return out[at]!
    const letter = out[at + 1]!
    if (letter !== 0x75) return shortEscape(letter)
    // A control character: 00 to 1f are the last two digits.
    const digit = out[at + 5]!
    return (out[at + 4]! - 0x30) * 16 + (digit <= 0x39 ? digit - 0x30 : digit - 0x57)
  }
}
