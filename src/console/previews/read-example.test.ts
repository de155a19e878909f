import { describe, expect, test } from 'vitest'
import { measureGrowth } from '../../../testing/cases/growth.ts'
import { exampleSie } from '../../../testing/cases/example-sie.ts'
import { TimeZone } from '../../formats/values/time-zone.ts'
import { examinedRowsMax, readExample } from './read-example.ts'

const options = { format: null, zone: new TimeZone('Europe/Stockholm'), at: new Date('2026-11-21T12:00:00Z') }
const read = (text: string | Uint8Array) =>
  readExample(typeof text === 'string' ? Buffer.from(text) : text, options)
const toTypes = (text: string | Uint8Array) =>
  Object.fromEntries(
    read(text).fields.map(({ name, type, personal }) => [name, personal ? `${type}, personal` : type]),
  )
const toCodes = (text: string | Uint8Array) => read(text).warnings.map(({ code }) => code)
const toFault = (text: string | Uint8Array) => {
  try {
    read(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const orders = [
  'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country',
  '536365,85123A,WHITE HANGING HEART T-LIGHT HOLDER,6,2010-12-01 08:26:00,2.55,17850.0,United Kingdom',
  'C536379,D,Discount,-1,2010-12-01 09:41:00,27.50,14527.0,United Kingdom',
].join('\n')

test('A shop’s invoice lines give fields, types, an event time and what is wrong with it', () => {
  const example = read(orders)
  expect(example).toMatchObject({
    format: 'csv',
    encoding: 'utf-8',
    rows: 2,
  })
  expect(toTypes(orders)).toEqual({
    InvoiceNo: 'text',
    StockCode: 'text',
    Description: 'text',
    Quantity: 'number',
    InvoiceDate: 'timestamp',
    UnitPrice: 'number',
    CustomerID: 'text, personal',
    Country: 'text',
  })
  expect(example.eventTime).toBe('InvoiceDate')
  expect(example.warnings).toEqual([
    {
      code: 'would_be_refused',
      field: 'InvoiceDate',
      row: 1,
      value: '2010-12-01 08:26:00',
      suggestion: '2010-12-01T08:26:00+01:00',
      rows: 2,
    },
  ])
})

test('A pasted row, a list, JSON lines and the body of a push give the same fields', () => {
  const row = {
    sold_at: '2026-11-21T14:03:00+01:00',
    amount: '1249.00',
    till: 'Kista 2',
    paid: true,
    count: 3,
    none: null,
  }
  const expected = {
    sold_at: 'timestamp',
    amount: 'number',
    till: 'text',
    paid: 'bool',
    count: 'number',
    none: 'text',
  }
  expect(toTypes(JSON.stringify(row))).toEqual(expected)
  expect(toTypes(JSON.stringify([row, row], undefined, 2))).toEqual(expected)
  expect(toTypes(`${JSON.stringify(row)}\n${JSON.stringify(row)}\n`)).toEqual(expected)
  const pushed = JSON.stringify({ idempotency_key: 'a', shape_version: 1, payload: [row] })
  expect(toTypes(pushed)).toEqual(expected)
  expect(toCodes(pushed)).toEqual(['envelope'])
  expect(read(`${JSON.stringify(row)}\n${JSON.stringify(row)}\n`)).toMatchObject({
    format: 'json_lines',
    rows: 2,
  })
})

test('A bookkeeping file has the fields of its format', () => {
  const example = read(exampleSie)
  expect(example.format).toBe('sie')
  expect(toTypes(exampleSie)).toMatchObject({
    account: 'text',
    amount: 'number',
    date: 'timestamp',
    credit: 'number',
  })
  expect(example.eventTime).toBe('date')
  expect(example.warnings).toEqual([])
})

describe('What a file of a Swedish office is like', () => {
  const rows = 'datum;belopp;kund\n2026-11-21;1 249,00;Åsa Öberg\n2026-11-22;99,50;Per Ek\n'

  test('semicolons and decimal commas are seen, and what to send instead is said', () => {
    const example = read(rows)
    expect(toTypes(rows)).toEqual({ datum: 'timestamp', belopp: 'number', kund: 'text, personal' })
    expect(example.warnings).toEqual([
      {
        code: 'would_be_refused',
        field: 'belopp',
        row: 1,
        value: '1 249,00',
        suggestion: '1249.00',
        rows: 2,
      },
    ])
  })

  test('Latin-1 is read, and said', () => {
    const example = read(Buffer.from(rows, 'latin1'))
    expect(example.encoding).toBe('windows-1252')
    expect(example.fields.map(({ examples }) => examples[0])).toEqual(['2026-11-21', '1 249,00', 'Åsa Öberg'])
    expect(example.warnings[0]).toMatchObject({ code: 'not_utf8', value: 'windows-1252' })
  })

  test('so is UTF-16, with a byte order mark and without', () => {
    const utf16 = Buffer.from(rows, 'utf16le')
    for (const bytes of [utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])]) {
      expect(read(bytes)).toMatchObject({ encoding: 'utf-16le', rows: 2 })
      expect(toTypes(bytes)).toHaveProperty('datum', 'timestamp')
    }
    expect(read(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]))).toMatchObject({
      encoding: 'utf-16be',
      rows: 2,
    })
  })

  test('tabs are not separators, and cause a warning', () => {
    const tabs = rows.replaceAll(';', '\t')
    expect(read(tabs).warnings).toContainEqual(
      expect.objectContaining({ code: 'separator_not_read', value: '\t' }),
    )
  })

  test('a byte order mark of UTF-8 is no part of the first name', () => {
    expect(toTypes(`\ufeff${rows}`)).toHaveProperty('datum')
  })
})

test('Digits that name something are text, so that their zeros stay', () => {
  expect(toTypes('konto,belopp,butik,ean\n3001,12,0042,7310865004703\n3002,13,0043,7310865004710\n')).toEqual(
    {
      konto: 'text',
      belopp: 'number',
      butik: 'text',
      ean: 'text',
    },
  )
})

test('A column of mostly numbers is text, with a warning for the other values', () => {
  const rows = Array.from({ length: 20 }, (_, k) => `2026-01-01,${k === 7 ? 'saknas' : k}`)
  const example = read(`at,amount\n${rows.join('\n')}`)
  expect(example.fields[1]).toMatchObject({ type: 'text' })
  expect(example.warnings).toEqual([
    { code: 'mostly_numbers', field: 'amount', row: 8, value: 'saknas', suggestion: null, rows: 1 },
  ])
})

test('The event time is when it happened, not when it was changed or a person was born', () => {
  const of = (...names: string[]) =>
    read(`${names.join()}\n${names.map(() => '2026-01-01').join()}\n`).eventTime
  expect(of('updated_at', 'created_at')).toBe('created_at')
  expect(of('created_at', 'ordered_at', 'due_date')).toBe('ordered_at')
  expect(of('birth_date', 'paid_date')).toBe('paid_date')
  expect(of('a', 'b')).toBe('a')
  expect(read('a,b\n1,2\n')).toMatchObject({ eventTime: null, warnings: [{ code: 'no_event_time' }] })
})

describe('Hostile examples', () => {
  test('a fault has its place, and never a value', () => {
    expect(toFault('[{"a":"secret"')).toBe('The JSON is malformed at byte 14.')
    expect(toFault('a,b\n"secret,1\n')).toBe('The CSV has a quote on line 2 that is never closed.')
    expect(toFault('{"a":1}\n{"a":\n')).toContain('malformed')
    expect(toFault('[1,2]')).toBe('The content is neither an object nor a list of objects.')
    expect(toFault('{"a":1,"a":2}')).toContain('same key twice')
    expect(toFault('#FLAGGA 0\n#VER A 1 20260101\n{\n')).toContain('line 2')
  })

  test('names that no field may have cause warnings, and are not proposed', () => {
    const long = 'x'.repeat(101)
    const example = read(`at,,at,"a\u0007b",${long},\u202eliame,zero\u200bwidth\n2026-01-01,1,2,3,4,5,6\n`)
    expect(example.fields.map(({ name }) => name)).toEqual(['at', '\u202eliame', 'zero\u200bwidth'])
    expect(example.warnings.map(({ code }) => code).toSorted()).toEqual([
      'name_invisible',
      'name_invisible',
      'name_missing',
      'name_not_allowed',
      'name_not_allowed',
      'name_twice',
    ])
  })

  test('of more than 200 columns the first 200 are proposed', () => {
    const names = Array.from({ length: 16_000 }, (_, k) => `c${k}`)
    const example = read(`${names.join()}\n${names.map(() => '1').join()}\n`)
    expect(example.fields).toHaveLength(200)
    expect(example.warnings).toContainEqual(expect.objectContaining({ code: 'too_many_fields' }))
  })

  test('objects and lists, lone surrogates, NUL and `__proto__` do no harm', () => {
    const text = '[{"a":{"b":1},"c":[1],"d":"\\ud800","e":"x\\u0000","__proto__":"p"},{"d":"fine","c":"1"}]'
    const example = read(text)
    expect(example.fields.map(({ name }) => name)).toEqual(['c', 'd', 'e', '__proto__'])
    expect(example.warnings.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'would_be_refused d',
      'would_be_refused e',
      'not_plain a',
      'not_plain c',
      'no_event_time null',
    ])
    expect(JSON.stringify(example)).not.toContain('\\ud800')
  })

  test('records of another length are counted, and the others read', () => {
    expect(read('a,b\n1,2\n3\n4,5,6\n7,8\n').warnings).toContainEqual(
      expect.objectContaining({ code: 'cells_differ', row: 2, rows: 2 }),
    )
  })

  test('an example with only a header row still has fields', () => {
    expect(toTypes('a,b\n')).toEqual({ a: 'text', b: 'text' })
    expect(read('[]')).toMatchObject({ rows: 0, fields: [] })
  })

  test('long values are cut, and never in the middle of a character', () => {
    const example = read(JSON.stringify([{ a: `${'x'.repeat(199)}😀`, b: 'y'.repeat(10_001) }]))
    expect(example.fields[0]!.examples[0]).toBe('x'.repeat(199))
    expect(example.warnings).toContainEqual(expect.objectContaining({ code: 'would_be_refused', field: 'b' }))
  })

  test('rows beyond the first 10,000 are counted, and no more than their form is looked at', () => {
    const example = read(`at,n\n${'2026-01-01,1\n'.repeat(examinedRowsMax)}not a date,x\n`)
    expect(example).toMatchObject({ rows: examinedRowsMax + 1, warnings: [] })
  })

  test.each([
    ['rows', '{"a":1,"b":"x"}\n', 6_000],
    ['empty lines', '\n', 200_000],
    ['commas', ',', 100_000],
    ['quotes', '"', 20_000],
    ['brackets', '[', 500_000],
    ['lines of SIE', '#FLAGGA 0\n', 100_000],
  ])('Many %s take time in proportion to their number', (_, unit, size) => {
    const growth = measureGrowth(size, (count) => {
      const bytes = Buffer.alloc(count, unit)
      return () => toFault(bytes)
    })
    expect(growth).toBeLessThan(3.5)
  })
})
