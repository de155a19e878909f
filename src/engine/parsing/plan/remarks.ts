import { nearestName } from '../../../formats/values/nearest-name.ts'

/** Accepted rows that added nothing to a metric because a field that it computes with was missing [fold.cells]. */
export interface MissingValue {
  metric: string
  /** The counted field, or the other factor of a product; a row that lacks both counts for the first. */
  field: string
  rows: number
}

/** An accepted row that is dated more than `daysAheadMax` days after the day on which it was received. */
export interface FarAheadRow {
  /** The row's number in the delivery, from 1. */
  row: number
  /** The line of the stored document on which the row begins, from 1; for CSV, JSON lines and SIE. */
  line?: number
  /** `YYYY-MM-DD` in the company's time zone; absent where the event time is personal. */
  day?: string
}

/** What parsing points out about rows that it accepted. */
export interface Remarks {
  /** Of each metric and field that there are such rows of. */
  missing_values: MissingValue[]
  rows_far_ahead: number
  /** The first of them. */
  far_ahead: FarAheadRow[]
}

/** Days between the day of receipt and the last day that a row may have without a remark. */
export const daysAheadMax = 366
/** Rows dated far ahead that are reported one by one; further ones are only counted. */
export const farAheadRowsMax = 10

export const noRemarks: Readonly<Remarks> = { missing_values: [], rows_far_ahead: 0, far_ahead: [] }

/** Remarks as they are stored: nearly every delivery has none, and stores none. */
export function toStoredRemarks(remarks: Remarks): Partial<Remarks> {
  return remarks.missing_values.length === 0 && remarks.rows_far_ahead === 0 ? {} : remarks
}

export interface ReportedRemarks {
  /** Null, like the number, where it is not known: the delivery is queued, or was parsed before this was counted. */
  missing_values: (MissingValue & { similar_dropped_key?: string })[] | null
  rows_far_ahead: number | null
  far_ahead: FarAheadRow[]
}

/**
 * Stored remarks as they are reported: each missing field with the key that was dropped from the delivery and is probably
 * that field, misspelled.
 */
export function reportRemarks(
  stored: Partial<Remarks> | null,
  droppedKeys: readonly string[] = [],
): ReportedRemarks {
  if (stored === null) return { missing_values: null, rows_far_ahead: null, far_ahead: [] }
  const remarks = { ...noRemarks, ...stored }
  const missing = remarks.missing_values.map((each) => {
    const others = droppedKeys.filter((key) => key !== each.field)
    const similar = nearestName(each.field, others)
    return similar === undefined ? each : { ...each, similar_dropped_key: similar }
  })
  return { ...remarks, missing_values: missing }
}
