import { expect, test } from 'vitest'
import { growthOf } from '../../../testing/cases/growth.ts'
import { CsvCursor } from './csv-cursor.ts'
import { CsvError } from './csv-error.ts'
import { readCsvHeader } from './csv-header.ts'

const declared = new Set(['at', 'amount', 'note', 'a;b'])
const header = (text: string) => readCsvHeader(Buffer.from(text), (name) => declared.has(name))
const namesOf = (text: string) => header(text).names
const faultOf = (text: string) => {
  try {
    header(text)
    return undefined
  } catch (error) {
    if (error instanceof CsvError) return error.fault
    throw error
  }
}

test('The delimiter is the one under which more names are declared', () => {
  expect(namesOf('at,amount;x\n')).toEqual(['at', 'amount;x'])
  expect(namesOf('at;amount,x\n')).toEqual(['at', 'amount,x'])
  expect(namesOf('x,y;at;amount\n')).toEqual(['x,y', 'at', 'amount'])
  expect(namesOf('"at";"amount"\n')).toEqual(['at', 'amount'])
  expect(namesOf('"at","amount"\n')).toEqual(['at', 'amount'])
})

test('The comma wins a tie', () => {
  expect(header('at').delimiter).toBe(0x2c)
  expect(namesOf('at,x;amount')).toEqual(['at', 'x;amount'])
  expect(namesOf('x,y;z')).toEqual(['x', 'y;z'])
  expect(namesOf('a;b')).toEqual(['a;b'])
})

test('Names are exactly the cells', () => {
  expect(namesOf('"at", amount,"no""te",,AT')).toEqual(['at', ' amount', 'no"te', '', 'AT'])
})

test('A byte order mark and empty lines may precede it', () => {
  expect(namesOf('\ufeffat,amount')).toEqual(['at', 'amount'])
  expect(namesOf('\ufeff\r\n\nat,amount')).toEqual(['at', 'amount'])
  expect(namesOf('\ufeff"at",amount')).toEqual(['at', 'amount'])
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
  expect(faultOf('')).toBe('no_header')
  expect(faultOf('\ufeff\n')).toBe('no_header')
  expect(faultOf('at,"amount')).toBe('open_quote')
  expect(faultOf('x;"y" z')).toBe('quote_inside')
  expect(faultOf('x,"y";z')).toBe('after_quote')
  expect(faultOf('at,"y";z')).toBe('after_quote')
})

test('A header row has at most 16384 columns', () => {
  expect(namesOf(`at${',x'.repeat(16_383)}`)).toHaveLength(16_384)
  expect(faultOf(`at${',x'.repeat(16_384)}`)).toBe('columns')
  expect(growthOf(100_000, (count) => expect(faultOf(','.repeat(count))).toBe('columns'))).toBeLessThan(3)
})
