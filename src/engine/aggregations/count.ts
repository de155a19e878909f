import type { Accumulator } from './accumulator.ts'
import type { AggregationDefinition } from './aggregation-definition.ts'
import { sum } from './sum.ts'

/** The rows of a cell are counted for every aggregation anyway. */
const rowCount: Accumulator = {
  grow: () => {},
  add: () => {},
  cellValue: (_cell, rows) => ({ value: String(rows) }),
}

/** The number of rows, or of those that have a field. */
export const count: AggregationDefinition = {
  description: 'the number of rows, or of those with a value',
  words: {
    en: {
      name: 'Number of rows',
      field: 'Rows with',
      sentence: 'Counts every row that has {{what}}',
      rowsSentence: 'Counts every row',
    },
    sv: {
      name: 'Antal rader',
      field: 'Rader med',
      sentence: 'Räknar varje rad som har {{what}}',
      rowsSentence: 'Räknar varje rad',
    },
  },
  counts: 'rows',
  takesTimes: false,
  keeps: null,
  combines: 'sum',
  accumulator: () => rowCount,
  combine: sum.combine,
  rule: sum.rule,
  valueSql: sum.valueSql,
}
