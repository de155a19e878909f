/** Bytes of an id. */
const idBytes = 16

/** Sorts indexes of 16-byte ids, which are stored one after another in `ids`, by the ids' bytes. */
export function sortedById(ids: Buffer, places: Uint32Array): Uint32Array {
  return places.toSorted((a, b) => compareIds(ids, a, b))
}

/** Less than 0, 0 or more than 0 as the id at index `a` is before, equal to or after the one at `b`. */
export function compareIds(ids: Buffer, a: number, b: number): number {
  for (let at = 0; at < idBytes; at += 4) {
    const order = ids.readUInt32BE(a * idBytes + at) - ids.readUInt32BE(b * idBytes + at)
    if (order !== 0) return order
  }
  return 0
}
