/** What a receipt lists at most (specification "Limits"). */
export const droppedKeysMax = 50

/** Code points of a name that are listed; the rest of a longer one is cut off, so that receipts have a bound. */
export const droppedKeyCodePointsMax = 200

/** Characters of a name that are shown with a delivery; the rest is cut off. Earlier versions kept names of any length. */
export const shownKeyCharactersMax = 200

/**
 * The first names of all that was dropped, each once, in code point order, which is that of UTF-8 bytes. Never more
 * than are listed, so that a body of nothing but names costs a look at each. Names that begin alike for as long as they
 * are listed count as one.
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

/** Where the code points end that are listed of the text in `bytes[start, end)`. */
function cutEnd(bytes: Uint8Array, start: number, end: number): number {
  if (end - start <= droppedKeyCodePointsMax) return end
  let codePoints = 0
  for (let at = start; at < end; at++) {
    // Every byte but those that continue a code point begins one.
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
