import { array, assert, constantFrom, property } from 'fast-check'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { spreadsheetText } from './spreadsheet-text.ts'

test.each([
  ['x;=HYPERLINK(A1)', `"x;'=HYPERLINK(A1)"`],
  ['x,=A1', `"x,'=A1"`],
  ['x\t@SUM(1)', `"x\t'@SUM(1)"`],
  ['x|-1', `"x|'-1"`],
  ['x\n+1', `"x\n'+1"`],
  ['x\r\n=1', `"x\r\n'=1"`],
  ['x; "=1"', `"x;' ""=1"""`],
  ['=1', `"'=1"`],
  ['＝1;＠x', `"'＝1;'＠x"`],
  ['\tx', `"'\tx"`],
  ['a-b + c = d', '"a-b + c = d"'],
  ['say "x"', '"say ""x"""'],
])('the label %j begins no formula, whichever separator the spreadsheet uses', (text, cell) => {
  expect(spreadsheetText(text)).toBe(cell)
})

test('no part of any text begins with a sign, and the text itself is still there', () => {
  const piece = constantFrom('=', '+', '-', '@', '＝', ',', ';', '\t', '|', '\n', '\r', '"', ' ', 'a', '1')
  assert(
    property(array(piece), (pieces) => {
      const text = pieces.join('')
      const cell = spreadsheetText(text)
      for (const part of cell.split(/[,;\t|\r\n]/)) expect(part).not.toMatch(/^[\s"]*[=+\-@＝]/)
      const [[read]] = parse(cell, { delimiter: '\u0001', record_delimiter: '\u0002' }) as [[string]]
      expect(read.replaceAll("'", '')).toBe(text)
    }),
  )
})
