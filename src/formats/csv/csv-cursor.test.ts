import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureGrowth } from '../../../testing/cases/growth.ts'
import { csvColumnsMax, CsvCursor } from './csv-cursor.ts'
import { CsvError } from './csv-error.ts'
import { csvText } from './csv-text.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'

const comma = 0x2c
const semicolon = 0x3b

interface ReadRecord {
  cells: string[]
  line: number
  raw: string
}

const read = (text: string, delimiter = comma): ReadRecord[] => {
  const bytes = Buffer.from(text)
  const cursor = new CsvCursor(bytes, 0, delimiter)
  const records: ReadRecord[] = []
  while (cursor.next()) {
    const { cellStarts, cellEnds, start, end, line } = cursor
    const cells = Array.from({ length: cursor.cells }, (_, k) => csvText(bytes, cellStarts[k]!, cellEnds[k]!))
    records.push({ cells, line, raw: bytes.toString('utf8', start, end) })
  }
  expect(cursor.next()).toBe(false)
  return records
}
const toCells = (text: string, delimiter = comma) => read(text, delimiter).map(({ cells }) => cells)

const toFault = (text: string, delimiter = comma) => {
  try {
    read(text, delimiter)
    return undefined
  } catch (error) {
    if (error instanceof CsvError) return [error.fault, error.line]
    throw error
  }
}

describe('the CSV cursor', () => {
  test('returns the cells of every record', () => {
    expect(toCells('a,b\n1,2\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    expect(toCells('a,"b ""c"", d",\n,,\n"",x')).toEqual([
      ['a', 'b "c", d', ''],
      ['', '', ''],
      ['', 'x'],
    ])
    expect(toCells('a;b,c', semicolon)).toEqual([['a', 'b,c']])
    expect(toCells('å,"😀"')).toEqual([['å', '😀']])
    expect(toCells('""')).toEqual([['']])
    expect(toCells('a,')).toEqual([['a', '']])
    expect(toCells(',')).toEqual([['', '']])
    expect(toCells('a\0b,c')).toEqual([['a\0b', 'c']])
  })

  test('ends lines in CRLF, LF and CR, and passes over empty ones', () => {
    expect(toCells('a\r\nb\nc\rd')).toEqual([['a'], ['b'], ['c'], ['d']])
    expect(toCells('\n\r\n\ra\n\n\n')).toEqual([['a']])
    expect(toCells('')).toEqual([])
    expect(toCells('\r\n')).toEqual([])
    expect(toCells('a,\r\nb')).toEqual([['a', ''], ['b']])
  })

  test('preserves quoted line breaks of every kind', () => {
    expect(toCells('"a\r\nb\rc\nd",e\nf')).toEqual([['a\r\nb\rc\nd', 'e'], ['f']])
  })

  test('counts lines from 1, also inside quotes', () => {
    expect(read('\r\na\r"x\r\ny\n",b\n\nc').map(({ line }) => line)).toEqual([2, 3, 7])
    expect(read('"x"').map(({ line }) => line)).toEqual([1])
  })

  test('reports what is broken, and on which line', () => {
    expect(toFault('a\n"b')).toEqual(['open_quote', 2])
    expect(toFault('a\n"b\nc\n')).toEqual(['open_quote', 2])
    expect(toFault('a\n"b\n"c')).toEqual(['after_quote', 3])
    expect(toFault('"b" ,c')).toEqual(['after_quote', 1])
    expect(toFault('"b";c')).toEqual(['after_quote', 1])
    expect(toFault('"b";c', semicolon)).toBeUndefined()
    expect(toFault('a\nb\n\n5" disk')).toEqual(['quote_inside', 4])
    expect(toFault('a, "b"')).toEqual(['quote_inside', 1])
    expect(toFault(`a\n"${'x'.repeat(100)}\n${'y'.repeat(100)}`)).toEqual(['open_quote', 2])
    expect(new CsvError('open_quote', 2).message).toBe('The CSV has a quote on line 2 that is never closed.')
  })

  test('begins at the given byte and line', () => {
    const bytes = Buffer.from('a,b\n1,2\n3,4')
    const cursor = new CsvCursor(bytes, 3, comma, 1)
    expect([cursor.next(), cursor.line, bytes.toString('utf8', cursor.start, cursor.end)]).toEqual([
      true,
      2,
      '1,2',
    ])
  })
})

const linesIn = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0

test('Cells joined to records are read back, with any content', () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\r', '\n', 'a', 'å', '\0') }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
  )
  const records = fc.array(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 1, maxLength: 40 }))
  const lineBreak = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\r\n')
  fc.assert(
    fc.property(records, lineBreak, fc.constantFrom(',', ';'), (given, ending, delimiter) => {
      const written = given.map((cells) => {
        const quoted = cells.map(([text, always]) =>
          // An empty line is no record, so a record of one empty cell is quoted.
          always || /[",;\r\n]/.test(text) || cells.length === 1 ? `"${text.replaceAll('"', '""')}"` : text,
        )
        return quoted.join(delimiter)
      })
      const found = read(written.join(ending), delimiter.charCodeAt(0))
      expect(found.map(({ cells }) => cells)).toEqual(given.map((cells) => cells.map(([text]) => text)))
      expect(found.map(({ raw }) => raw)).toEqual(written)
      let line = 1
      for (const [index, record] of found.entries()) {
        expect(record.line).toBe(line)
        line += linesIn(written[index]! + ending)
      }
    }),
    { numRuns: madeUpCases(500) },
  )
})

/** RFC 4180 character by character: the records, or undefined if the text is broken. */
const plainRead = (text: string, delimiter: string): string[][] | undefined => {
  const records: string[][] = []
  let at = 0
  while (at < text.length) {
    if (text[at] === '\r' || text[at] === '\n') {
      at++
      continue
    }
    const cells: string[] = []
    for (;;) {
      const [cell] = (text[at] === '"' ? /^"(?:[^"]|"")*"/ : /^[^"\r\n,;]*/).exec(
        delimiter === ';' ? text.slice(at).replaceAll(',', '\x01') : text.slice(at).replaceAll(';', '\x01'),
      ) ?? [undefined]
      if (cell === undefined) return undefined
      const raw = text.slice(at, at + cell.length)
      cells.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
      at += cell.length
      if (text[at] !== delimiter) break
      at++
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n') return undefined
    records.push(cells)
  }
  return records
}

test('Any text is parsed as the plain way parses it, or refused where that refuses it', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '"', ',', ';', '\r', '\n', 'a', 'bc', ' ') })
  fc.assert(
    fc.property(text, fc.constantFrom(',', ';'), (given, delimiter) => {
      const expected = plainRead(given, delimiter)
      const code = delimiter.charCodeAt(0)
      if (expected === undefined) expect(toFault(given, code)).toBeDefined()
      else expect(toCells(given, code)).toEqual(expected)
    }),
    { numRuns: madeUpCases(2000) },
  )
})

test('Any bytes are read to an end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const cursor = new CsvCursor(bytes, 0, comma)
      try {
        for (let records = 0; cursor.next(); records++) expect(records).toBeLessThan(bytes.length)
      } catch (error) {
        expect(error).toBeInstanceOf(CsvError)
      }
    }),
  )
})

test('Eight million cells in one record are counted, and only as many stored as a header may have', () => {
  const bytes = Buffer.alloc(8_388_608, ',')
  const cursor = new CsvCursor(bytes, 0, comma)
  expect(cursor.next()).toBe(true)
  expect(cursor.cells).toBe(8_388_609)
  expect(cursor.cellStarts).toHaveLength(csvColumnsMax)
  expect(cursor.cellStarts[csvColumnsMax - 1]).toBe(csvColumnsMax - 1)
})

test.each([
  ['quotes', '"'],
  ['line breaks', '\n'],
  ['cells of one quoted character', '"a",'],
  ['records of one cell', 'a\r\n'],
])('Many %s take time in proportion to their number', (_, unit) => {
  const growth = measureGrowth(100_000, (count) => {
    const bytes = Buffer.alloc(count, unit)
    return () => {
      const cursor = new CsvCursor(bytes, 0, comma)
      while (cursor.next()) if (cursor.cells < 0) break
      expect(cursor.lineAt(count)).toBeGreaterThan(0)
    }
  })
  expect(growth).toBeLessThan(3)
})
