import { expect, test } from 'vitest'
import { monthsMax, parseTargets } from './parse-targets.ts'

const values = (pasted: string) => parseTargets(pasted).months.map(({ month, value }) => `${month} ${value}`)
const faults = (pasted: string) => parseTargets(pasted).refused.map(({ line, fault }) => `${line} ${fault}`)

test('a table pasted from a Swedish spreadsheet is understood, with its heading left out', () => {
  const pasted =
    'Månad\tMål\r\njan 2026\t250\u00A0000,50\r\nmaj 2026\t1\u202F250\u202F000 kr\r\nokt-26\t\u22125,5\r\n2026-11\t\r\n2026-12-01\t99,125\r\n\r\n'
  expect(values(pasted)).toEqual([
    '2026-01 250000.50',
    '2026-05 1250000',
    '2026-10 -5.5',
    '2026-11 null',
    '2026-12 99.125',
  ])
  expect(faults(pasted)).toEqual([])
})

test('a table from an English spreadsheet is understood, with semicolons, commas and quotation marks', () => {
  expect(values('Jan 2026;250,000.50\nMay 2026;250,000\nsept 2026;1,250,000')).toEqual([
    '2026-01 250000.50',
    '2026-05 250000',
    '2026-09 1250000',
  ])
  expect(values('2026-01,100\n"February 2026","1,234.50"\n2026/03,0.5\n202604,')).toEqual([
    '2026-01 100',
    '2026-02 1234.50',
    '2026-03 0.5',
    '2026-04 null',
  ])
})

test('every digit is kept', () => {
  expect(values('2026-01\t12345678901234567890,000000000000000001')).toEqual([
    '2026-01 12345678901234567890.000000000000000001',
  ])
})

test('lines that are not understood are listed with their number and reason, and nothing is guessed', () => {
  const pasted = [
    '2026-01\t1',
    'Sum',
    '2026-13\t1',
    'week 3\t1',
    '2026-02\tabc',
    '2026-03\t1\t2',
    '2026-01\t5',
    '2026-04\t1 2',
    '2026-05\t1e5',
    `2026-06\t${'9'.repeat(39)}`,
    '2026-07\t250,000',
  ].join('\n')
  expect(faults(pasted)).toEqual([
    '2 columns',
    '3 month',
    '4 month',
    '5 number',
    '6 columns',
    '7 twice',
    '8 number',
    '9 number',
    '10 number',
    '11 ambiguous',
  ])
  expect(values(pasted)).toEqual(['2026-01 1'])
})

test('of a very long table the first months are used', () => {
  const long = Array.from(
    { length: monthsMax + 5 },
    (_line, index) => `${2000 + Math.floor(index / 12)}-${(index % 12) + 1}\t${index}`,
  )
  const { months, left } = parseTargets(long.join('\n'))
  expect([months.length, left]).toEqual([monthsMax, 5])
})
