/** Rough bytes of parameters per statement: enough to be worth a statement, little compared with a worker's memory. */
const partBytesMax = 1024 * 1024

/** Cuts rows into parts for one statement each, in order. `countBytes` is roughly what a row takes as parameters. */
export function* inParts<T>(rows: Iterable<T>, countBytes: (row: T) => number): Generator<T[]> {
  let part: T[] = []
  let bytes = 0
  for (const row of rows) {
    part.push(row)
    bytes += countBytes(row)
    if (bytes < partBytesMax) continue
    yield part
    part = []
    bytes = 0
  }
  if (part.length > 0) yield part
}
