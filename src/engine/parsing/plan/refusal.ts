/**
 * Why a row was refused: a closed list of codes with a sentence each. A refusal names the row and the field but never
 * the value, which may be personal [parse.refusals].
 */
export const refusalReasons = {
  event_time_missing: 'The row has no event time: send it in every row.',
  event_time_out_of_range: 'The event time is outside the years 1 to 9999.',
  value_not_plain: 'The value is an object or a list: send one value in each field.',
  text_too_long: 'The value is longer than 10,000 characters.',
  text_not_storable: 'The value has a character that cannot be kept.',
  number_malformed: 'The value is not a number such as 1249.50, without comma, separators or unit.',
  number_too_long: 'The number has more than 38 digits or more than 18 decimals.',
  timestamp_malformed: 'The value is neither a date such as 2026-01-15 nor an RFC 3339 time with an offset.',
  timestamp_no_offset: 'The time has no offset: add Z, or one such as +01:00.',
  timestamp_no_such_day: 'The day does not exist.',
  timestamp_no_such_time: 'The time of day or the offset does not exist.',
  bool_malformed: 'The value is neither true nor false.',
  label_too_long: 'The value is longer than 200 characters, and a metric is grouped by it.',
  allowance_spent:
    'The delivery has more different labels, periods or counted values than one of its size may have.',
  cells_differ:
    'The record has another number of cells than the header row: quote cells that hold the delimiter.',
} as const

export type RefusalCode = keyof typeof refusalReasons

export interface Refusal {
  /** The row's number in the delivery, from 1. */
  row: number
  /** The line of the stored document on which the row begins, from 1; for CSV, JSON lines and SIE. */
  line?: number
  /** The field concerned; none if it is the whole row. */
  field?: string
  code: RefusalCode
  /** The code's sentence. */
  reason: string
}

/** Refused rows of one field with one reason. */
export interface RefusalGroup {
  code: RefusalCode
  /** Null if it is the whole row. */
  field: string | null
  rows: number
  /** The numbers of the first ones, from 1. */
  examples: number[]
}

/** Refused rows of a group that are named. */
export const refusalExamplesMax = 3

/** Refusals of a delivery that are kept in full; the others are only counted. */
export const refusalsKeptMax = 100
/** Bytes of JSON of all refusals that are kept in full; those beyond are only counted. */
export const refusalsKeptBytesMax = 32 * 1024
