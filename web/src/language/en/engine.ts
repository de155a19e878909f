// Written by `npm run openapi` from src/engine.
export const en = {
  aggregation: {
    name: {
      sum: 'Sum',
      count: 'Number of rows',
      count_distinct: 'Number of different values',
      min: 'Smallest',
      max: 'Largest',
      last: 'Last by event time',
    },
    field: {
      sum: 'Sum of',
      count: 'Rows with',
      count_distinct: 'Different values of',
      min: 'Smallest of',
      max: 'Largest of',
      last: 'Last of',
    },
    sentence: {
      sum: 'Adds up {{what}} of every row',
      count: 'Counts every row that has {{what}}',
      count_distinct: 'Counts each {{what}} once',
      min: 'Takes the smallest {{what}}',
      max: 'Takes the largest {{what}}',
      last: 'Takes the last {{what}}',
    },
    rows: {
      sum: 'Adds up {{what}} of every row',
      count: 'Counts every row',
      count_distinct: 'Counts each {{what}} once',
      min: 'Takes the smallest {{what}}',
      max: 'Takes the largest {{what}}',
      last: 'Takes the last {{what}}',
    },
  },
  format: { json: 'JSON', json_lines: 'JSON lines', csv: 'CSV', sie: 'SIE 4' },
}
