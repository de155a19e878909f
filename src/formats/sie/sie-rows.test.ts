import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureGrowth } from '../../../testing/cases/growth.ts'
import { exampleRevenue, exampleSie, inCodePage437 } from '../../../testing/cases/example-sie.ts'
import { fromCodePage437 } from './code-page-437.ts'
import { SieError } from './sie-error.ts'
import { type SieRowField, sieRowFields, SieRows } from './sie-rows.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'

type Row = Record<SieRowField, string> & { line: number }

const readBytes = (bytes: Uint8Array): Row[] => {
  const rows = new SieRows(bytes)
  const read: Row[] = []
  while (rows.next()) {
    const texts = Object.fromEntries(sieRowFields.map((field) => [field, rows.text(field)]))
    read.push({ ...(texts as Record<SieRowField, string>), line: rows.line })
  }
  expect(rows.next()).toBe(false)
  return read
}
const read = (text: string): Row[] => readBytes(Buffer.from(text))

const toFault = (text: string) => {
  try {
    read(text)
    return undefined
  } catch (error) {
    if (error instanceof SieError) return [error.fault, error.line]
    throw error
  }
}

/** One verification with the lines given; they begin on line 4. */
const file = (...lines: string[]): string =>
  ['#FLAGGA 0', '#VER A 1 20260115 Text', '{', ...lines, '}', ''].join('\n')
const toRow = (line: string): Row => read(file(line))[0]!

/** Credit less debit by month, in hundredths. */
const revenueByMonth = (rows: Row[]): Record<string, string> => {
  const months = new Map<string, number>()
  for (const { account, credit, date } of rows) {
    if (account < '3000' || account > '3799') continue
    const month = `${date.slice(0, 7)}-01`
    months.set(month, (months.get(month) ?? 0) + Math.round(Number(credit) * 100))
  }
  return Object.fromEntries([...months].map(([month, cents]) => [month, String(cents / 100)]))
}

describe('a file with every kind of record', () => {
  test.each([
    ['code page 437', inCodePage437(exampleSie)],
    ['UTF-8', Buffer.from(exampleSie)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${exampleSie}`)],
    ['CRLF', inCodePage437(exampleSie.replaceAll('\n', '\r\n'))],
    ['CR', inCodePage437(exampleSie.replaceAll('\n', '\r'))],
    ['tabs', inCodePage437(exampleSie.replaceAll(/ (?=[\d{}-])/g, '\t'))],
  ])('in %s reads to its transactions and to the revenue of each month', (_, bytes) => {
    const rows = readBytes(bytes)
    expect(rows).toHaveLength(13)
    expect(revenueByMonth(rows)).toEqual(exampleRevenue)
    expect(rows[1]).toEqual({
      account: '3001',
      amount: '-7000.00',
      date: '2026-01-15',
      series: 'A',
      number: '1',
      text: 'Bröd "surdeg"',
      object: '1:10 6:P1',
      credit: '7000.00',
      line: 53,
    })
    expect(rows[2]).toMatchObject({ object: '1:20', text: 'Dagskassa, bröd', date: '2026-01-15', line: 54 })
    expect(rows[4]).toMatchObject({
      date: '2026-02-01',
      text: 'Kredit, bokförd i januari',
      credit: '-500.25',
    })
    expect(rows.slice(6, 9).map(({ text }) => text)).toEqual(['Rabatt', '', ''])
    expect(rows[6]).toMatchObject({ series: '', number: '', object: '', amount: '100.00' })
  })
})

describe('fields', () => {
  test('are quoted or not, and may have quotes, braces and backslashes', () => {
    expect(toRow('#TRANS "3001" {} "-1.00" "20260120" "a { b } c" x "sign"')).toMatchObject({
      account: '3001',
      amount: '-1.00',
      date: '2026-01-20',
      text: 'a { b } c',
    })
    expect(toRow('#TRANS 1 {} 1 "" "\\"x\\" \\ C:\\y"').text).toBe('"x" \\ C:\\y')
    expect(toRow('#TRANS 1 {} 1 "" text').text).toBe('text')
  })

  test('in which a program forgot to mark a quote are read to where they can end', () => {
    expect(toRow('#TRANS 1 {} 1 "" "5"-disk"').text).toBe('5"-disk')
    expect(toRow('#TRANS 1 {} 1 "" "5" disk"').text).toBe('5')
    expect(toRow('#TRANS 1 {} 1 "" "F"rutbetald"').text).toBe('F"rutbetald')
    expect(toRow('#TRANS 1 {} 1 "" a"b').text).toBe('a"b')
  })

  test('behind the known ones are passed over', () => {
    expect(toRow(`#TRANS 1 {} 1 20260101 t 1 sign${' x'.repeat(50)}`).text).toBe('t')
  })

  test('that are values are not looked at', () => {
    expect(toRow('#TRANS x {} 1,5 2026-13-99')).toMatchObject({ amount: '1,5', date: '2026-13-99' })
    expect(toRow('#TRANS x {} y 20261399')).toMatchObject({ amount: 'y', date: '2026-13-99' })
    expect(toRow('#TRANS x {} ""')).toMatchObject({ amount: '', credit: '' })
    expect(read('#FLAGGA 0\n#VER A 1 ""\n{\n#TRANS 1 {} 1\n}')[0]).toMatchObject({ date: '' })
  })

  test.each([
    ['-1.50', '1.50'],
    ['1.50', '-1.50'],
    ['+1.50', '-1.50'],
    ['0.00', '-0.00'],
    ['.5', '-.5'],
    ['-1e2', '1e2'],
    ['--1', '--1'],
    ['-', '-'],
    ['+-1', '+-1'],
    ['x', 'x'],
  ])('of %s the credit is %s', (amount, credit) => {
    expect(toRow(`#TRANS 1 {} ${amount}`).credit).toBe(credit)
  })

  test('of the object are dimensions with their objects', () => {
    expect(toRow('#TRANS 1 {1 10 6 P1} 1').object).toBe('1:10 6:P1')
    expect(toRow('#TRANS 1 { "1" "a b" } 1').object).toBe('1:a b')
    expect(toRow('#TRANS 1 {1 "} \\" {"}1').object).toBe('1:} " {')
    expect(toRow('#TRANS 1\t{1\t10}\t1').object).toBe('1:10')
  })
})

describe('encodings', () => {
  test('code page 437 is decoded', () => {
    const all = Array.from({ length: 128 }, (_, k) => String.fromCharCode(0x80 + k)).join('')
    expect(fromCodePage437(all)).toBe(
      'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
    )
    expect(readBytes(inCodePage437(file('#TRANS 1 {1 Ö} 1 "" "åäö ÅÄÖ"')))[0]).toMatchObject({
      text: 'åäö ÅÄÖ',
      object: '1:Ö',
    })
  })
})

describe('what is passed over', () => {
  test('are records of other labels, with their blocks', () => {
    const text =
      '#FLAGGA 1\n#NYTT "x\n{\n#VER\n#TRANS\nanything }\n}\n#VER A 1 20260101\n{\n#NYTT y\n#TRANS 1 {} 1\n}\n#TRANSX'
    expect(toFault(text)).toEqual(undefined)
    expect(read(text)).toHaveLength(1)
  })

  test('is what a file of old has behind its end', () => {
    expect(read(`${file('#TRANS 1 {} 1')}\x1a\0\0\0`)).toHaveLength(1)
  })

  test('are blank lines, and a file may have no verification', () => {
    expect(read('\n \t\n#FLAGGA 0\n\n')).toEqual([])
    expect(read(file())).toEqual([])
  })
})

describe('what is broken is reported with its line', () => {
  test.each<[string, ...(string | number)[]]>([
    ['', 'no_flag', 0],
    ['\n\n', 'no_flag', 2],
    ['#KONTO 1 x\n#FLAGGA 0', 'no_flag', 1],
    ['{', 'no_flag', 1],
    ['#FLAGGAN 0', 'no_flag', 1],
    ['#FLAGGA 0\n#SIETYP 1', 'type', 2],
    ['#FLAGGA 0\n#SIETYP', 'fields', 2],
    ['#FLAGGA 0\ntext', 'no_label', 2],
    [file('text'), 'no_label', 4],
    [file('#TRANS 1 {} 1 "" "text'), 'open_quote', 4],
    [file('#TRANS 1 {} 1 "" "text\\"'), 'open_quote', 4],
    [file('#TRANS 1 {1 "10} 1'), 'open_quote', 4],
    [file('#TRANS 1 {1 10 1'), 'open_list', 4],
    [file('#TRANS 1 {1 10 6} 1'), 'pairs', 4],
    [file('#TRANS 1 {}'), 'fields', 4],
    [file('#TRANS 1 -5'), 'fields', 4],
    [file('#TRANS 1 -5 20260101'), 'fields', 4],
    [file('#TRANS {} 1 -5'), 'fields', 4],
    [file('#TRANS 1 {} {}'), 'fields', 4],
    [file('#TRANS'), 'fields', 4],
    [file('#VER A 2 20260101'), 'brace', 4],
    [file('{'), 'brace', 4],
    ['#FLAGGA 0\n}', 'brace', 2],
    ['#FLAGGA 0\n{\n}\n{', 'brace', 4],
    ['#FLAGGA 0\n#VER A 1 20260101\n{ #TRANS 1 {} 1', 'brace', 3],
    [file('#TRANS 1 {} 1', '} x'), 'brace', 5],
    ['#FLAGGA 0\n#TRANS 1 {} 1', 'outside', 2],
    ['#FLAGGA 0\n#RTRANS 1 {} 1', 'outside', 2],
    [`${file('#TRANS 1 {} 1')}#BTRANS 1 {} 1`, 'outside', 6],
    ['#FLAGGA 0\n#VER A 1', 'fields', 2],
    ['#FLAGGA 0\n#VER A {} 20260101', 'fields', 2],
    ['#FLAGGA 0\n#VER A 1 20260101 "x', 'open_quote', 2],
    [`#FLAGGA 0\n#VER A 1 20260101 ${'x'.repeat(10_000)}`, 'too_long', 2],
    ['#FLAGGA 0\n#VER A 1 20260101\n#VER A 2 20260101', 'no_rows', 2],
    ['#FLAGGA 0\n#VER A 1 20260101\n', 'cut_off', 2],
    ['#FLAGGA 0\n\n#VER A 1 20260101\n{\n#TRANS 1 {} 1', 'cut_off', 3],
    ['#FLAGGA 0\n#NYTT\n{', 'cut_off', 3],
    ['#FLAGGA 0\n#KSUMMA\n#KONTO 1 x', 'cut_off', 2],
  ])('%j', (text, ...fault) => {
    expect(toFault(text)).toEqual(fault)
  })

  test('and never with a value', () => {
    expect(() => read(file('#TRANS 19800101 {} 1 "" "Anna'))).toThrow(
      'The SIE file has a quote on line 4 that is never closed.',
    )
  })

  test('A file cut off inside its verifications is always refused', () => {
    const bytes = inCodePage437(exampleSie)
    const from = bytes.indexOf('#VER')
    const to = bytes.lastIndexOf('#KSUMMA ')
    for (let length = from; length < to; length++) {
      expect(() => readBytes(bytes.subarray(0, length))).toThrow(SieError)
    }
  })
})

const quoted = (value: string) => `"${value.replaceAll('"', '\\"')}"`

test('Written rows are read back, with any texts', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '"', '{', '}', '\\', '\t', 'å', '#', '1'),
    maxLength: 8,
  })
  const field = text.filter((value) => !value.endsWith('\\') && !value.includes('\\"'))
  const row = fc.record({
    account: field,
    amount: field,
    text: field,
    objects: fc.array(fc.tuple(field, field)),
  })
  const verification = fc.record({ series: field, number: field, text: field, rows: fc.array(row) })
  fc.assert(
    fc.property(fc.array(verification), fc.constantFrom('\n', '\r\n', '\r'), (given, lineBreak) => {
      const lines = ['#FLAGGA 0']
      const expected: Partial<Row>[] = []
      for (const { series, number, text: own, rows } of given) {
        lines.push(`#VER ${quoted(series)} ${quoted(number)} 20260115 ${quoted(own)}`, '{')
        for (const { account, amount, text: rowText, objects } of rows) {
          const list = objects.flat().map(quoted).join(' ')
          lines.push(`#TRANS ${quoted(account)} {${list}} ${quoted(amount)} "" ${quoted(rowText)}`)
          const object = objects.map(([dimension, one]) => `${dimension}:${one}`).join(' ')
          expected.push({ series, number, account, amount, text: rowText || own, object, line: lines.length })
        }
        lines.push('}')
      }
      for (const [index, found] of read(lines.join(lineBreak)).entries()) {
        expect(found).toMatchObject(expected[index]!)
      }
    }),
    { numRuns: 200 },
  )
})

test('Any bytes are read to an end', () => {
  const piece = fc.constantFrom(
    '#VER',
    '#TRANS',
    '{',
    '}',
    '"',
    '\\',
    ' ',
    '\n',
    '\r',
    'A 1 20260101',
    '1 {} 1',
    '{1 "',
    '#X',
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(`#FLAGGA 0\n${pieces.join('')}`)),
  )
  fc.assert(
    fc.property(bytes, (given) => {
      try {
        expect(readBytes(given).length).toBeLessThan(given.length)
      } catch (error) {
        expect(error).toBeInstanceOf(SieError)
      }
    }),
    { numRuns: madeUpCases(1000) },
  )
})

test.each([
  ['rows', '#TRANS 1 {} 1\n'],
  ['rows without an end', '#TRANS 1 {} 1 '],
  ['objects', '1 1 '],
  ['quotes', '"" '],
  ['blank lines', ' \n'],
])('Many %s take time in proportion to their bytes', (_, unit) => {
  for (const [start, size] of [
    ['#TRANS 1 {', 200_000],
    ['#TRANS 1 {} 1 ', 200_000],
    ['', 20_000],
  ] as const) {
    const growth = measureGrowth(size, (count) => {
      const bytes = Buffer.from(`#FLAGGA 0\n#VER A 1 20260101\n{\n${start}`.padEnd(count, unit))
      return () => {
        const rows = new SieRows(bytes)
        let length = 0
        try {
          while (rows.next()) for (const field of sieRowFields) length += rows.text(field).length
        } catch (error) {
          expect(error).toBeInstanceOf(SieError)
        }
        expect(length).toBeGreaterThanOrEqual(0)
      }
    })
    expect(growth).toBeLessThan(3)
  }
})
