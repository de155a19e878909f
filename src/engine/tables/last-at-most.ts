/** The index of the last element that is at most `number`, in a sorted list whose first element is. */
export function lastAtMost(sorted: readonly number[], number: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sorted[middle]! <= number) low = middle
    else high = middle - 1
  }
  return low
}
