/** Compares texts by code points [all.sort]; JavaScript's own comparison goes by UTF-16 units. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let k = 0; k < length; k++) {
    const left = a.charCodeAt(k)
    const right = b.charCodeAt(k)
    if (left === right) continue
    // A surrogate is part of a code point above all that fit into one unit.
    const leftPair = left >= 0xd800 && left <= 0xdfff
    const rightPair = right >= 0xd800 && right <= 0xdfff
    return leftPair === rightPair ? left - right : leftPair ? 1 : -1
  }
  return a.length - b.length
}
