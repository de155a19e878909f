/** Names that a receipt lists (specification "Limits"). */
export const droppedKeysMax = 50

/** Code points of a listed name; the rest of a longer one is cut off, so that receipts are bounded. */
export const droppedKeyCodePointsMax = 200

/** Characters of a name that are shown with a delivery; the rest is cut off. Earlier versions kept names of any length. */
export const shownKeyCharactersMax = 200

/**
 * The first of all dropped names, each once, in code point order, which is the order of UTF-8 bytes. Holds no more than
 * are listed, so that a body of nothing but names costs one search for each. Names that are equal after the cut count as
 * one.
 */
export class DroppedKeys {
  readonly #names: Buffer[] = []

  /** The name is the text in `bytes[start, end)`. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const names = this.#names
    end = cutEnd(bytes, start, end)
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

/** Where to cut the name in `bytes[start, end)`. */
function cutEnd(bytes: Uint8Array, start: number, end: number): number {
  if (end - start <= droppedKeyCodePointsMax) return end
  let codePoints = 0
  for (let at = start; at < end; at++) {
    // Every byte that does not continue a code point begins one.
    if ((bytes[at]! & 0xc0) !== 0x80 && ++codePoints > droppedKeyCodePointsMax) return at
  }
  return end
}

/** Less than 0, 0 or more: `bytes[start, end)` against `other`. */
function compareBytes(bytes: Uint8Array, start: number, end: number, other: Uint8Array): number {
  const length = Math.min(end - start, other.length)
  for (let at = 0; at < length; at++) {
    const order = bytes[start + at]! - other[at]!
    if (order !== 0) return order
  }
  return end - start - other.length
}
