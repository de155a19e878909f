import { longList, release } from './long-lists.ts'

/** Bytes of an id. */
const idBytes = 16
/** So many that fall together are sorted by insertion, more by the library: ids may be chosen to fall together. */
const insertedMax = 32

/**
 * Sorts the places of ids of 16 bytes, which lie one after another in `ids`, by their bytes. Of hundreds of thousands
 * in a fraction of a second, since ids are hashes: their first bits say nearly where they go.
 */
export const sortedById = (ids: Buffer, places: Uint32Array): Uint32Array => {
  const count = places.length
  if (count < 2) return places
  // As many drawers as ids, or half as many.
  const shift = Math.clz32(count)
  const ends = longList.uint32(2 ** (32 - shift))
  for (const place of places) ends[ids.readUInt32BE(place * idBytes) >>> shift]!++
  for (let drawer = 1; drawer < ends.length; drawer++) ends[drawer]! += ends[drawer - 1]!
  const sorted = longList.uint32(count)
  for (let k = count - 1; k >= 0; k--) {
    const place = places[k]!
    sorted[--ends[ids.readUInt32BE(place * idBytes) >>> shift]!] = place
  }

  const compare = (a: number, b: number): number => compareIds(ids, a, b)
  for (let drawer = 0; drawer < ends.length; drawer++) {
    // Each has come down to its start.
    const start = ends[drawer]!
    const end = drawer + 1 < ends.length ? ends[drawer + 1]! : count
    if (end - start > insertedMax) sorted.subarray(start, end).sort(compare)
    else {
      for (let k = start + 1; k < end; k++) {
        const place = sorted[k]!
        let at = k
        while (at > start && compare(sorted[at - 1]!, place) > 0) {
          sorted[at] = sorted[at - 1]!
          at--
        }
        sorted[at] = place
      }
    }
  }
  release(ends)
  return sorted
}

/** Less than 0, 0 or more than 0 as the id at place `a` is before, equal to or after the one at `b`. */
export const compareIds = (ids: Buffer, a: number, b: number): number => {
  for (let at = 0; at < idBytes; at += 4) {
    const order = ids.readUInt32BE(a * idBytes + at) - ids.readUInt32BE(b * idBytes + at)
    if (order !== 0) return order
  }
  return 0
}
