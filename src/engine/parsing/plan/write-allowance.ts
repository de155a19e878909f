/**
 * How much a delivery may write, in bytes on disk with indexes, so that a small one never becomes a huge number of
 * rows. Rows that would write more are refused whole (`allowance_spent`), in the order of rows, so that the same
 * delivery always has the same refusals.
 *
 * The costs are what a row of each table was measured to take with its index entries, as if everything were new
 * (`bench/parsing/written-bytes.ts`).
 */

/** Bytes written per byte of a delivery's content (before compression); rows beyond that are refused. */
export const writtenBytesPerContentByteMax = 32
/** Bytes that every delivery, however small, may write besides; rows beyond that are refused. */
export const writtenBytesAlways = 256 * 1024

/** A cell: its sample and one contribution, without the labels. */
export const cellBytes = 420
/** Each byte of its labels' JSON, which is stored twice: the second time as what samples are ordered by. */
export const bytesPerLabelByte = 2.8
/** A value of a distinct count. */
export const distinctValueBytes = 190
/** A period of a metric: its owner, and the record that the delivery touches it. */
export const periodBytes = 520

/** How much a delivery with `contentBytes` bytes of content may write. */
export function writeAllowance(contentBytes: number): number {
  return writtenBytesAlways + writtenBytesPerContentByteMax * contentBytes
}
