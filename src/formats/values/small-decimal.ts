/**
 * Integer arithmetic on decimals whose digits are safe integers, where a `bigint` for each row would be too slow.
 * Nothing here is approximate: a float holds every integer up to 2^53, and an operation whose true result is larger
 * gives at least 2^53, since rounding never passes a float that lies between. So a result below that is exact, and
 * one that is not shows that it is not.
 */

/** Whether the result of one addition or multiplication of safe integers is exact. */
export function isExact(result: number): boolean {
  return result <= Number.MAX_SAFE_INTEGER && result >= -Number.MAX_SAFE_INTEGER
}

/** The powers of ten that a float holds exactly. */
export const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/**
 * Compares a × 10^-aScale with b × 10^-bScale, both safe integers, both scales 0 to 18: less than 0, 0 or more.
 * The one with fewer decimals is widened. Should that leave the exact integers, its size is beyond that of any safe
 * integer, and the comparison is right all the same.
 */
export function compareSmall(a: number, aScale: number, b: number, bScale: number): number {
  if (aScale === bScale) return a - b
  return aScale < bScale ? a * powersOfTen[bScale - aScale]! - b : a - b * powersOfTen[aScale - bScale]!
}
