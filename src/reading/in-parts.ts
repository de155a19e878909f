/** A statement takes at most so many rows: its parameters stay small beside the server's limit of 1 GiB. */
const rowsMax = 20_000

/** Cuts rows into parts that one statement takes, in order. */
export function* inParts<T>(rows: T[]): Generator<T[]> {
  if (rows.length <= rowsMax) {
    if (rows.length > 0) yield rows
    return
  }
  for (let at = 0; at < rows.length; at += rowsMax) yield rows.slice(at, at + rowsMax)
}
