/** What is compared of a name, in UTF-16 units. The work grows with its square. */
const comparedUnitsMax = 64

/** A name that is nearer than this share of its length is what was meant. */
const changedShareMax = 0.4

/** How many units are inserted, deleted, replaced or swapped with the next one to get from one name to the other. */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      let edits = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[to.length]!
}

/**
 * The known name that a mistyped one most likely means, regardless of upper and lower case.
 *
 * @param known the first of several that are equally near is chosen
 * @returns undefined where none is near
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const wanted = given.slice(0, comparedUnitsMax).toLowerCase()
  let nearest: string | undefined
  let editsMin = Infinity
  for (const name of known) {
    const candidate = name.slice(0, comparedUnitsMax).toLowerCase()
    const edits = countEdits(wanted, candidate)
    if (edits < editsMin && edits <= Math.max(wanted.length, candidate.length) * changedShareMax) {
      nearest = name
      editsMin = edits
    }
  }
  return nearest
}
