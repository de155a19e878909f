/** Warnings about a readable example, as a closed list; the contract describes each. */
export const warningCodes = [
  'not_utf8',
  'separator_not_read',
  'name_missing',
  'name_twice',
  'name_not_allowed',
  'name_invisible',
  'too_many_fields',
  'would_be_refused',
  'mostly_numbers',
  'not_plain',
  'cells_differ',
  'envelope',
  'no_event_time',
] as const
export type WarningCode = (typeof warningCodes)[number]

export interface ExampleWarning {
  code: WarningCode
  field: string | null
  /** The first row concerned, from 1. */
  row: number | null
  value: string | null
  suggestion: string | null
  /** How many rows are concerned. */
  rows: number | null
}

export function warning(
  code: WarningCode,
  about: Partial<Omit<ExampleWarning, 'code'>> = {},
): ExampleWarning {
  return { code, field: null, row: null, value: null, suggestion: null, rows: null, ...about }
}

/** Warnings that are listed for an example. */
export const warningsMax = 200
