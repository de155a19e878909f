/** The field names of one shape version, looked up by text or by the bytes of a JSON key without decoding it. */
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

  list(): string[] {
    return [...this.#texts]
  }

  hasText(name: string): boolean {
    return this.#texts.has(name)
  }

  /** Whether the text in `bytes[start, end)`, which has no escapes, is declared. */
  has(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start
    for (const name of this.#byLength.get(length) ?? []) {
      let same = 0
      while (same < length && name[same] === bytes[start + same]) same++
      if (same === length) return true
    }
    return false
  }
}

// By list of names, for as long as the list itself is in memory.
const declaredBy = new WeakMap<readonly string[], DeclaredNames>()

/** The `DeclaredNames` of a list, created once. */
export function declaredNames(names: readonly string[]): DeclaredNames {
  let declared = declaredBy.get(names)
  if (declared === undefined) {
    declared = new DeclaredNames(names)
    declaredBy.set(names, declared)
  }
  return declared
}
