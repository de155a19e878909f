// Written by `npm run openapi` from src/engine.

/** In the order of the form. `adds`: values of several periods add up. */
export const aggregationRules = {
  sum: { counts: 'numbers', takesTimes: true, adds: true },
  count: { counts: 'rows', takesTimes: false, adds: true },
  count_distinct: { counts: 'values', takesTimes: false, adds: false },
  min: { counts: 'numbers', takesTimes: false, adds: false },
  max: { counts: 'numbers', takesTimes: false, adds: false },
  last: { counts: 'numbers', takesTimes: false, adds: false },
} as const
export type Aggregation = keyof typeof aggregationRules
export const aggregations = Object.keys(aggregationRules) as Aggregation[]

export const formatRules = {
  json: { fileName: 'rows.json', webhookMediaType: 'application/json' },
  json_lines: { fileName: 'rows.jsonl', webhookMediaType: null },
  csv: { fileName: 'rows.csv', webhookMediaType: 'text/csv' },
  sie: { fileName: 'ledger.se', webhookMediaType: null },
} as const
export type Format = keyof typeof formatRules
export const formats = Object.keys(formatRules) as Format[]
