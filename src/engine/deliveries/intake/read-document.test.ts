import type { Format } from '../../formats/formats.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvCursor } from '../../../formats/csv/csv-cursor.ts'
import { readCsvHeader } from '../../../formats/csv/csv-header.ts'
import { csvText } from '../../../formats/csv/csv-text.ts'
import { DeclaredNames } from '../../formats/declared-names.ts'
import { DeliveryError } from './delivery-error.ts'
import { readDocument } from './read-document.ts'
import { madeUpCases } from '../../../../testing/cases/made-up-cases.ts'

const declared = new DeclaredNames(['at', 'amount', 'country'])

const read = (body: string | Uint8Array, format: Format | null = null, names = declared) => {
  const document = readDocument(typeof body === 'string' ? Buffer.from(body) : body, format, names)
  return { ...document, content: Buffer.from(document.content).toString() }
}
const toFault = (body: string | Uint8Array, format: Format | null = null): string => {
  try {
    return `taken as ${read(body, format).format}`
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    expect(error.field).toBe('body')
    return error.message
  }
}

describe('the format is found from the first bytes', () => {
  test.each<[string, Format]>([
    ['at,amount\n', 'csv'],
    ['\n\nat\n', 'csv'],
    ['{"at":"2026-01-15"}', 'json'],
    [' \n[{"at":"2026-01-15"}]', 'json'],
    ['{\n  "at": "2026-01-15"\n}\n', 'json'],
    ['{"at":"2026-01-15"}\n', 'json'],
    ['{"at":"2026-01-15"}\n{"at":"2026-01-15"}', 'json_lines'],
    ['\r\n{"at":"2026-01-15"} \r\n\r\n{"at":"2026-01-15"}\r\n', 'json_lines'],
  ])('%j is %s', (body, format) => {
    expect(read(body).format).toBe(format)
    expect(read(`\ufeff${body}`).format).toBe(format)
    expect(read(body, format).format).toBe(format)
  })

  test('and is what the source declares, where it declares one', () => {
    expect(read('{"at":"2026-01-15"}\n', 'json_lines').format).toBe('json_lines')
    expect(read('[x],at\n', 'csv').format).toBe('csv')
    expect(toFault('{"at":"2026-01-15"}', 'csv')).toBe(
      'The CSV has a quote inside an unquoted cell on line 1.',
    )
    expect(toFault('at,amount', 'json')).toMatch('The JSON is malformed at byte 0 ')
  })
})

describe('encodings', () => {
  test('UTF-8 is accepted, with a byte order mark or without', () => {
    expect(read('\ufeffat,country\n1,å').content).toBe('\ufeffat,country\n1,å')
    expect(read('\ufeff{"at":"å"}').content).toBe('{"at":"å"}')
    expect(read('\ufeff{"at":"1"}\n{"at":"2"}').content).toBe('{"at":"1"}\n{"at":"2"}')
  })

  test('others are refused', () => {
    for (const format of ['json', 'json_lines', 'csv', null] as const) {
      expect(toFault(Buffer.from('at,country\n1,å', 'latin1'), format)).toMatch('not UTF-8')
      expect(toFault(Buffer.from('at,country\n1,å', 'utf16le'), format)).toMatch('UTF-16')
      expect(toFault(Buffer.from('\ufeffat,country', 'utf16le'), format)).toMatch('UTF-16')
      expect(toFault(Buffer.from('\ufeffat,country', 'utf16le').swap16(), format)).toMatch('UTF-16')
      expect(toFault('', format)).toBe('The body is empty: send the document in it.')
    }
  })
})

describe('JSON', () => {
  test('loses undeclared keys, and the white space around it', () => {
    expect(read(' [{"at":"1","x":2},{"y":{"at":1}}] ')).toEqual({
      format: 'json',
      content: '[{"at":"1"},{}]',
      droppedKeys: ['x', 'y'],
    })
  })

  test.each([
    [
      '{"at":1,"at":2}',
      'The JSON has an object with the same key twice at byte 8 (line 1, column 9): leave one of the two out.',
    ],
    [
      `{"at":${'['.repeat(64)}${']'.repeat(64)}}`,
      'The JSON is nested too deeply at byte 69 (line 1, column 70).',
    ],
    [
      '{"\\u0000":1}',
      'The JSON has a key with a character that cannot be kept at byte 1 (line 1, column 2).',
    ],
    ['{"at":1', 'The JSON is malformed at byte 7 (line 1, column 8): it ends before it is complete.'],
    ['[{"at":1},2]', 'Item 2 of body is not an object.'],
    [
      '{"at":1}{"at":1}',
      'The JSON is malformed at byte 8 (line 1, column 9): a second value follows the first without a list around both.',
    ],
    [
      '[{"at":1}]\n[{"at":1}]',
      'The JSON is malformed at byte 11 (line 2, column 1): a second value follows the first without a list around both.',
    ],
    [
      '{"at":1,}\n{"at":1}',
      'The JSON is malformed at byte 8 (line 1, column 9): a comma stands before a closing bracket.',
    ],
  ])('%s is broken', (body, message) => {
    expect(toFault(body)).toBe(message)
  })

  test('that is neither an object nor a list of objects is refused', () => {
    for (const body of ['1', 'null']) {
      expect(toFault(body, 'json')).toBe('body is neither an object nor a list of objects.')
    }
    expect(toFault('"{}"', 'json')).toBe(
      'body is text: send the object or list itself, without quotes around it.',
    )
  })
})

describe('JSON lines', () => {
  test('lose undeclared keys and stay on their lines', () => {
    expect(read('{"x":1,"at":"1"}\r\n\n {"at":"2"} \n{"y":1}')).toEqual({
      format: 'json_lines',
      content: '{"at":"1"}\r\n\n {"at":"2"} \n{}',
      droppedKeys: ['x', 'y'],
    })
  })

  test.each([
    ['{"at":"1"}\n[1]', 'Line 2 is not a JSON object.'],
    [
      '{"at":"1"}\n\n{"at":"2"',
      'The JSON is malformed at byte 21 (line 3, column 10): it ends before it is complete.',
    ],
    [
      '{"at":"1"}\n{"at":\n"2"}',
      'The JSON is malformed at byte 17 (line 2, column 7): it ends before it is complete.',
    ],
    [
      '{"at":"1"}\n{"at":"2"} {"at":"3"}',
      'The JSON is malformed at byte 21 (line 2, column 11): a second value follows the first without a list around both.',
    ],
    [
      '{"at":"1"}\n{"at":"2","at":"3"}',
      'The JSON has an object with the same key twice at byte 21 (line 2, column 11): leave one of the two out.',
    ],
    [
      '{"at":"1"}\n{"\\ud800":"2"}',
      'The JSON has a key with a character that cannot be kept at byte 12 (line 2, column 2).',
    ],
  ])('%j is broken', (body, message) => {
    expect(toFault(body)).toBe(message)
  })

  test('of nothing but blank lines are a delivery of no rows', () => {
    expect(read('\n \r\n', 'json_lines').content).toBe('\n \r\n')
  })

  test.each(['\n', '{}\n', ' \n', '{"x":1}\n', '{"at":1}\r\n'])(
    'eight megabytes of %j take linear time',
    (unit) => {
      const body = Buffer.alloc(8_388_608 - (8_388_608 % unit.length), unit)
      const started = performance.now()
      read(body, 'json_lines')
      expect(performance.now() - started).toBeLessThan(10_000)
    },
  )
})

test('JSON lines lose what a list of the same rows loses', () => {
  const key = fc.constantFrom('at', 'amount', 'x', 'é', '"', '__proto__')
  const rows = fc.array(fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })), { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(rows, fc.constantFrom('\n', '\r\n', ' \n\n'), (given, lineBreak) => {
      const texts = given.map((row) => JSON.stringify(row))
      const lines = read(texts.join(lineBreak))
      const list = read(`[${texts.join()}]`)
      expect([lines.format, list.format]).toEqual(['json_lines', 'json'])
      expect(`[${lines.content.split(lineBreak).join()}]`).toBe(list.content)
      expect(lines.droppedKeys).toEqual(list.droppedKeys)
    }),
  )
})

describe('CSV', () => {
  test('without undeclared columns is stored byte for byte', () => {
    const body = '\ufeff"country";at\r\n\n"a""b";1;2\r"x\ny"; z '
    expect(read(body)).toEqual({ format: 'csv', content: body, droppedKeys: [] })
  })

  test.each([
    ['x,at,y,amount\n1,2,3,4\r\n\n5,6,7,8', 'at,amount\n2,4\r\n\n6,8'],
    ['at;x;amount\n1;"2;";"a""\n;"\n', 'at;amount\n1;"a""\n;"\n'],
    ['at;amount;x\n1,5;2,5;3\n', 'at;amount\n1,5;2,5\n'],
    ['\ufeffx,"at"\n1,2', 'at\n2'],
  ])('%j loses undeclared columns and stays %j', (body, content) => {
    expect(read(body).content).toBe(content)
  })

  test('with one column left is parsed with commas', () => {
    expect(read('at;x\n1,5;2\n"a,b";2\nplain;2').content).toBe('at\n"1,5"\n"a,b"\nplain')
  })

  test('a ragged record stays ragged, and an empty cell a record', () => {
    expect(read('at,x\n1\n,\n1,2\n1,2,3\n""').content).toBe('at\n1,\n""\n1\n1,\n"",')
    expect(read('x,at\n1\n,\n1,2\n1,2,3').content).toBe('at\n,\n""\n2\n2,')
    expect(read('x,at,amount\n1\n1,2\n1,\n1,2,3\n1,2,3,4').content).toBe('at,amount\n""\n2\n""\n2,3\n2,3,')
  })

  test('lists the columns that it lost, sorted, each once, at most fifty', () => {
    expect(read('é,at,b,,"a""",b\n').droppedKeys).toEqual(['', 'a"', 'b', 'é'])
    expect(
      read(`at${Array.from({ length: 60 }, (_, k) => `,c${k + 10}`).join('')}`).droppedKeys,
    ).toHaveLength(50)
  })

  test('of ten thousand columns is accepted', () => {
    const header = Array.from({ length: 10_000 }, (_, column) => (column === 5_000 ? 'at' : `c${column}`))
    const record = header.map((_, column) => column)
    expect(read(`${header.join()}\n${record.join()}`).content).toBe('at\n5000')
  })

  test.each([
    [
      'x,y\n1,2',
      "The header row names no declared field: it has 'x', 'y'; the source declares 'at', 'amount', 'country'.",
    ],
    [
      'at,x,at\n',
      'The header row names a field twice, the second time in column 3: leave one of the two out.',
    ],
    ['at,x\0\n', 'The name of column 2 has a character that cannot be kept.'],
    ['at\n"1', 'The CSV has a quote on line 2 that is never closed.'],
    ['at,x\n\n1,5" disk', 'The CSV has a quote inside an unquoted cell on line 3.'],
    ['at\n"1"2', 'The CSV has text after a closing quote on line 2.'],
    ['\n \n', 'The header row is empty: name the declared fields in it.'],
    ['\n\r\n', 'The CSV has no header row.'],
    [`at${',x'.repeat(20_000)}`, 'The CSV has more than 16384 columns.'],
  ])('%j is broken', (body, message) => {
    expect(toFault(body, 'csv')).toBe(message)
  })

  test('a NUL in a cell is stored: its row is refused in parsing', () => {
    expect(read('at,country\n1,a\0b').content).toBe('at,country\n1,a\0b')
  })

  test('undeclared columns may have the same name, and declared ones only once', () => {
    expect(read('x,at,x\n1,2,3').content).toBe('at\n2')
  })

  test.each([
    ['at,x', ',', 'at', '""'],
    ['x;at', '"";","', 'at', '","'],
    ['at;amount;x', ',', 'at;amount', ','],
    ['at,amount,x', ',,', 'at,amount', ','],
  ])(
    'eight megabytes under %s take their time only, also where they grow',
    (header, record, kept, content) => {
      const count = Math.floor(8_388_000 / (record.length + 1))
      const body = `${header}\n${`${record}\n`.repeat(count)}`
      const started = performance.now()
      expect(read(body).content === `${kept}\n${`${content}\n`.repeat(count)}`).toBe(true)
      expect(performance.now() - started).toBeLessThan(10_000)
    },
  )
})

describe('SIE', () => {
  const ledger = new DeclaredNames(['date', 'credit'])
  const file = '\n#FLAGGA 0\r\n#VER A 1 20260115 "å"\r\n{\r\n#TRANS 3001 {} -1\r\n}\r\n'

  test.each([
    ['UTF-8', Buffer.from(file)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${file}`)],
    ['another encoding', Buffer.from(file, 'latin1')],
  ])('in %s is found by its first record and kept whole', (_, body) => {
    const { format, content, droppedKeys } = readDocument(body, null, ledger)
    expect([format, droppedKeys]).toEqual(['sie', []])
    expect(Buffer.compare(content, body)).toBe(0)
  })

  test('that is broken is reported with its line', () => {
    expect(() => read(file.slice(0, -5), null, ledger)).toThrow(
      'The SIE file ends before what it began on line 3 is complete.',
    )
    expect(() => read('at;amount\n', 'sie', ledger)).toThrow('The SIE file does not begin with #FLAGGA.')
  })

  test('is refused where the source declares nothing that it has', () => {
    expect(() => read(file, null, new DeclaredNames(['at']))).toThrow(
      'The source declares no field that a SIE file has: account, amount, date, ',
    )
  })
})

interface Table {
  names: string[]
  records: { cells: string[]; ragged: boolean }[]
}

const toTable = (bytes: Uint8Array, names: DeclaredNames): Table => {
  const header = readCsvHeader(bytes, (name) => names.hasText(name))
  const cursor = new CsvCursor(bytes, header.bodyStart, header.delimiter, header.line)
  const kept = header.names.flatMap((name, column) => (names.hasText(name) ? [column] : []))
  const records: Table['records'] = []
  while (cursor.next()) {
    const { cellStarts, cellEnds, cells } = cursor
    const columns = kept.filter((column) => column < cells)
    const texts = columns.map((column) => csvText(bytes, cellStarts[column]!, cellEnds[column]!))
    const ragged = cells !== header.names.length
    // What a ragged record holds does not matter: it is refused.
    records.push({ cells: ragged ? [] : texts, ragged })
  }
  return { names: kept.map((column) => header.names[column]!), records }
}

const quoted = (text: string) => (/^$|[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

test('After dropping any keys, the same records are found under the same names', () => {
  const name = fc.constantFrom('at', 'amount', 'a;b', 'a,b', '\ufeffc', 'x', 'y;at', '', 'z"', 'l\nm')
  const cell = fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '1', 'å'), maxLength: 5 })
  const csv = fc.record({
    delimiter: fc.constantFrom(',', ';'),
    lineBreak: fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
    names: fc.array(name, { minLength: 1, maxLength: 6 }),
    records: fc.array(fc.array(cell, { minLength: 1, maxLength: 7 }), { maxLength: 8 }),
    bom: fc.boolean(),
  })
  const names = new DeclaredNames(['at', 'amount', 'a;b', 'a,b', '\ufeffc', '', 'l\nm'])
  fc.assert(
    fc.property(csv, ({ delimiter, lineBreak, names: columns, records, bom }) => {
      const lines = [columns, ...records].map((cells) => cells.map(quoted).join(delimiter))
      const body = Buffer.from((bom ? '\ufeff' : '') + lines.join(lineBreak))
      let document
      try {
        document = readDocument(body, 'csv', names)
      } catch (error) {
        expect(error).toBeInstanceOf(DeliveryError)
        return
      }
      expect(toTable(document.content, names)).toEqual(toTable(body, names))
      expect(readDocument(document.content, 'csv', names)).toMatchObject({ droppedKeys: [] })
    }),
    { numRuns: madeUpCases(3000) },
  )
})

test('Any bytes are accepted or refused, in every format', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ';',
    '\n',
    '\r',
    ':',
    '#FLAGGA 0',
    'at',
    '"at"',
    '1',
    '\\',
    ' ',
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''))),
  )
  fc.assert(
    fc.property(bytes, fc.constantFrom('json', 'json_lines', 'csv', 'sie', null), (body, format) => {
      try {
        const { content, format: found } = readDocument(body, format, declared)
        // What was kept is whole, and keeping it again changes nothing.
        const again = readDocument(content, found, declared)
        expect(Buffer.compare(again.content, content)).toBe(0)
        expect(again.droppedKeys).toEqual([])
      } catch (error) {
        expect(error).toBeInstanceOf(DeliveryError)
      }
    }),
    { numRuns: madeUpCases(5000) },
  )
})
