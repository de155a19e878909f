/**
 * What a delivery may write, in bytes on disk with their indexes: so that a small one never becomes a huge amount of
 * rows. Rows that would write more are refused (`allowance_spent`), each as a whole and in the order of rows, so that the
 * same delivery always has the same refusals.
 *
 * The costs are what a row of each table was seen to take with its index entries, as if all of it were new
 * (`bench/parsing/written-bytes.ts`).
 */

/** Bytes that each byte of a delivery's content (before compression) may become; the rows beyond are refused. */
export const writtenBytesPerContentByteMax = 32
/** Bytes that every delivery may write beside that, however small it is; the rows beyond are refused. */
export const writtenBytesAlways = 256 * 1024

/** A cell: its sample and one contribution, but for the labels. */
export const cellBytes = 420
/** What each byte of its labels' JSON takes: it is kept twice, the second time as what samples are ordered by. */
export const bytesPerLabelByte = 2.8
/** A value of a distinct count. */
export const distinctValueBytes = 190
/** A period of a metric: its owner, and that the delivery touches it. */
export const periodBytes = 520

/** What a delivery with so many bytes of content may write. */
export function writeAllowance(contentBytes: number): number {
  return writtenBytesAlways + writtenBytesPerContentByteMax * contentBytes
}
