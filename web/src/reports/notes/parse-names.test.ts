import { expect, test } from 'vitest'
import { findChanges, parseNames, toTable } from './parse-names.ts'

test('values and names from a table are understood, and a line without a name removes it', () => {
  const known = [{ value: 'DK', name: 'Denmark' }]
  const { names, refused } = parseNames(
    'SE\tSweden\r\n"NO";"Norway"\n\nFI, Finland, and Åland\nDK\t',
    known,
    [],
  )
  expect(names).toEqual([
    { value: 'SE', name: 'Sweden' },
    { value: 'NO', name: 'Norway' },
    { value: 'FI', name: 'Finland, and Åland' },
  ])
  expect(refused).toEqual([])
  expect(findChanges(known, names)[0]).toEqual({ value: 'DK', before: 'Denmark', after: undefined })
})

test('the table of names that are there is understood as those names again, with any values', () => {
  const values = ['"SE"', ' NO', 'a;b', 'x, y', '', ' ', 'two\nlines', 'a\tb']
  const names = values.filter(Boolean).map((value, index) => ({ value, name: `"Name ${index}"` }))
  const read = parseNames(toTable(names, values), names, values)
  expect([read.refused, findChanges(names, read.names)]).toEqual([[], []])
})

test('lines that are not a value and a name are refused', () => {
  const lines = [
    'SE Sweden',
    '\tSweden',
    `NO\t${'x'.repeat(101)}`,
    'FI\tFin\u202eland',
    'DK\tA',
    'DK\tB',
    'a\tb\tc',
  ]
  expect(parseNames(lines.join('\n'), [], []).refused.map(({ line, fault }) => `${line} ${fault}`)).toEqual([
    '1 columns',
    '2 value',
    '3 name',
    '4 name',
    '6 twice',
    '7 columns',
  ])
})
