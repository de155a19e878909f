import { createHash } from 'node:crypto'

/** Random numbers; the same seed and stream give the same sequence. */
export interface Random {
  /** From 0 to 1. */
  (): number
  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number
  pick<T>(choices: readonly T[]): T
  /** Of letters and digits. */
  word(length: number): string
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * A seeded generator (mulberry32), so that a trial can be repeated. Each stream has its own sequence: the numbers of the
 * load do not depend on those of the faults.
 */
export const seededRandom = (seed: number, stream = ''): Random => {
  let state = createHash('sha256').update(`${seed} ${stream}`).digest().readUInt32LE()
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  return Object.assign(next, {
    integer,
    pick: <T>(choices: readonly T[]): T => choices[integer(0, choices.length - 1)]!,
    word: (length: number): string =>
      Array.from({ length }, () => letters[integer(0, letters.length - 1)]).join(''),
  })
}
