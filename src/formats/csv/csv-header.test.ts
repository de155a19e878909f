import { expect, test } from 'vitest'
import { measureGrowth } from '../../../testing/cases/growth.ts'
import { CsvCursor } from './csv-cursor.ts'
import { CsvError } from './csv-error.ts'
import { readCsvHeader } from './csv-header.ts'

const declared = new Set(['at', 'amount', 'note', 'a;b'])
const header = (text: string) => readCsvHeader(Buffer.from(text), (name) => declared.has(name))
const toNames = (text: string) => header(text).names
const toFault = (text: string) => {
  try {
    header(text)
    return undefined
  } catch (error) {
    if (error instanceof CsvError) return error.fault
    throw error
  }
}

test('The delimiter is the one under which more names are declared', () => {
  expect(toNames('at,amount;x\n')).toEqual(['at', 'amount;x'])
  expect(toNames('at;amount,x\n')).toEqual(['at', 'amount,x'])
  expect(toNames('x,y;at;amount\n')).toEqual(['x,y', 'at', 'amount'])
  expect(toNames('"at";"amount"\n')).toEqual(['at', 'amount'])
  expect(toNames('"at","amount"\n')).toEqual(['at', 'amount'])
})

test('The comma wins a tie', () => {
  expect(header('at').delimiter).toBe(0x2c)
  expect(toNames('at,x;amount')).toEqual(['at', 'x;amount'])
  expect(toNames('x,y;z')).toEqual(['x', 'y;z'])
  expect(toNames('a;b')).toEqual(['a;b'])
})

test('Names are exactly the cells', () => {
  expect(toNames('"at", amount,"no""te",,AT')).toEqual(['at', ' amount', 'no"te', '', 'AT'])
})

test('A byte order mark and empty lines may precede it', () => {
  expect(toNames('\ufeffat,amount')).toEqual(['at', 'amount'])
  expect(toNames('\ufeff\r\n\nat,amount')).toEqual(['at', 'amount'])
  expect(toNames('\ufeff"at",amount')).toEqual(['at', 'amount'])
})

test('The records begin after it, on their own lines', () => {
  const bytes = Buffer.from('\n"at","x\ny"\r\n\r\n1,2\n3,4')
  const { bodyStart, delimiter, line } = readCsvHeader(bytes, (name) => declared.has(name))
  const records = new CsvCursor(bytes, bodyStart, delimiter, line)
  const found: unknown[] = []
  while (records.next()) found.push([records.line, bytes.toString('utf8', records.start, records.end)])
  expect(found).toEqual([
    [5, '1,2'],
    [6, '3,4'],
  ])
})

test('A header row that is broken under both delimiters, or names nothing under the one that works, is reported', () => {
  expect(toFault('')).toBe('no_header')
  expect(toFault('\ufeff\n')).toBe('no_header')
  expect(toFault('at,"amount')).toBe('open_quote')
  expect(toFault('x;"y" z')).toBe('quote_inside')
  expect(toFault('x,"y";z')).toBe('after_quote')
  expect(toFault('at,"y";z')).toBe('after_quote')
})

test('A header row has at most 16384 columns', () => {
  expect(toNames(`at${',x'.repeat(16_383)}`)).toHaveLength(16_384)
  expect(toFault(`at${',x'.repeat(16_384)}`)).toBe('columns')
  const growth = measureGrowth(100_000, (count) => {
    const text = ','.repeat(count)
    return () => expect(toFault(text)).toBe('columns')
  })
  expect(growth).toBeLessThan(3)
})
