import { jsonText } from '../json/json-text.ts'

/** The field names of one shape version, found by the bytes of a JSON key without making text of it, or by text. */
export class DeclaredNames {
  readonly #texts: Set<string>
  /** UTF-8 by length in bytes. */
  readonly #byLength = new Map<number, Buffer[]>()

  constructor(names: readonly string[]) {
    this.#texts = new Set(names)
    for (const name of this.#texts) {
      const bytes = Buffer.from(name)
      const same = this.#byLength.get(bytes.length)
      if (same === undefined) this.#byLength.set(bytes.length, [bytes])
      else same.push(bytes)
    }
  }

  hasText(name: string): boolean {
    return this.#texts.has(name)
  }

  /** Whether the key in `bytes[keyStart, keyEnd)`, quotes included, is declared. */
  has(bytes: Uint8Array, keyStart: number, keyEnd: number): boolean {
    const start = keyStart + 1
    const length = keyEnd - start - 1
    for (const name of this.#byLength.get(length) ?? []) {
      let same = 0
      while (same < length && name[same] === bytes[start + same]) same++
      if (same === length) return true
    }
    // The same text can be written with escapes.
    for (let at = start; at < keyEnd - 1; at++) {
      if (bytes[at] === 0x5c) return this.#texts.has(jsonText(bytes, keyStart, keyEnd))
    }
    return false
  }
}

// What was made of a list of names, for as long as somebody remembers the list.
const declaredBy = new WeakMap<readonly string[], DeclaredNames>()

/** The same names for the same list. */
export const declaredNames = (names: readonly string[]): DeclaredNames => {
  let declared = declaredBy.get(names)
  if (declared === undefined) {
    declared = new DeclaredNames(names)
    declaredBy.set(names, declared)
  }
  return declared
}
