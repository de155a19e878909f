import { expect, test } from 'vitest'
import { prefersCsv } from './prefers-csv.ts'

test.each([
  'text/csv',
  'Text/CSV; header=present',
  'text/csv, application/json;q=0.9',
  'text/csv, */*',
  'text/csv;q=0.5, */*;q=0.1',
])('CSV is the answer to %j', (accept) => expect(prefersCsv(accept)).toBe(true))

test.each([
  undefined,
  '',
  '*/*',
  'text/*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'application/json, text/csv',
  'text/csv;q=0',
  'text/csv;q=x, */*;q=0.1',
  'text/csv;q=0.5, */*',
  'text/csvs',
])('JSON is the answer to %j', (accept) => expect(prefersCsv(accept)).toBe(false))
