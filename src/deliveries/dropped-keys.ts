/** What a receipt lists at most (specification "Limits"). */
export const droppedKeysMax = 50

/**
 * The first names of all that was dropped, each once, in code point order, which is that of UTF-8 bytes. Never more than
 * are listed, so that a body of nothing but names costs a look at each.
 */
export class DroppedKeys {
  readonly #names: Buffer[] = []

  /** The name is the text in `bytes[start, end)`. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const names = this.#names
    let low = 0
    let high = names.length
    while (low < high) {
      const middle = (low + high) >> 1
      const order = compareBytes(bytes, start, end, names[middle]!)
      if (order === 0) return
      if (order < 0) high = middle
      else low = middle + 1
    }
    if (low === droppedKeysMax) return
    names.splice(low, 0, Buffer.from(bytes.subarray(start, end)))
    if (names.length > droppedKeysMax) names.pop()
  }

  addText(name: string): void {
    const bytes = Buffer.from(name)
    this.add(bytes, 0, bytes.length)
  }

  list(): string[] {
    return this.#names.map((name) => name.toString())
  }
}

/** Less than 0, 0 or more: `bytes[start, end)` against `other`. */
const compareBytes = (bytes: Uint8Array, start: number, end: number, other: Uint8Array): number => {
  const length = Math.min(end - start, other.length)
  for (let at = 0; at < length; at++) {
    const order = bytes[start + at]! - other[at]!
    if (order !== 0) return order
  }
  return end - start - other.length
}
