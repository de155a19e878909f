/** Whole numbers from 0 up to a bound, which is at most 2³¹. */
export type NextNumber = (bound: number) => number

/** Whole numbers decided by a text: FNV-1a over it, whose bits are then mixed, and xorshift from there. */
export function numbersFrom(text: string): NextNumber {
  let state = 0x811c9dc5
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193)
  // Texts that differ only in their last character give sequences that start far apart.
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  state = state ^ (state >>> 16) || 1
  return (bound) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
}

/** One of them. */
export function pickOne<T>(all: readonly T[], next: NextNumber): T {
  return all[next(all.length)]!
}

/** One of them, as often as its weight says. */
export function oneByWeight<T>(weights: readonly (readonly [T, number])[], next: NextNumber): T {
  let left = next(weights.reduce((sum, [, weight]) => sum + weight, 0))
  for (const [one, weight] of weights) {
    if (left < weight) return one
    left -= weight
  }
  throw new RangeError('there is nothing to choose from')
}
