/** The plain counterpart of `src/engine/tables/byte-dictionary.ts`: a map of texts. */
export class ByteDictionary {
  readonly #ids = new Map<string, number>()
  readonly #texts: string[] = []

  get size(): number {
    return this.#texts.length
  }

  getId(bytes: Uint8Array, start: number, end: number, _hash: number): number {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
    let id = this.#ids.get(text)
    if (id === undefined) {
      id = this.#texts.push(text) - 1
      this.#ids.set(text, id)
    }
    return id
  }

  text(id: number): string {
    return this.#texts[id]!
  }

  getLength(id: number): number {
    return Buffer.byteLength(this.#texts[id]!)
  }

  getJsonLength(id: number): number {
    return Buffer.byteLength(JSON.stringify(this.#texts[id]!)) - 2
  }

  copy(id: number, into: Buffer, at: number): number {
    return into.write(this.#texts[id]!, at)
  }

  seal(): void {}
}

// A Map does its own hashing.
export const hashSeed = 0
export const hashFactor = 0
export function hashBytes(): number {
  return 0
}
