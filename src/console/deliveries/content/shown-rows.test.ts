import type { Format } from '../../../engine/formats/formats.ts'
import { expect, test } from 'vitest'
import { readShownRows, shownBytesMax, type RowRequest, type ShownField } from './shown-rows.ts'

const fields: ShownField[] = [
  { name: 'at', isMasked: false },
  { name: 'email', isMasked: true },
  { name: 'amount', isMasked: false },
]
type Page = Pick<RowRequest, 'after' | 'limit' | 'only'>
const all: Page = { after: 0, limit: 200 }

const read = (
  content: string | Uint8Array,
  format: Format,
  page: Page = all,
  of: ShownField[] = fields,
  personalNames = of.filter(({ isMasked }) => isMasked).map(({ name }) => name),
) => readShownRows(Buffer.from(content as string), format, { fields: of, personalNames, ...page })

const row = (number: number, line: number | null, values: unknown, cells: number | null = null) => {
  return { row: number, line, values, cells }
}

test.each<[Format, string, (number | null)[]]>([
  [
    'json',
    '[{"at":"2026-01-14","email":"anna@example.com","amount":1.50}, {"amount":"","email":null,"at":"x"}]',
    [null, null],
  ],
  [
    'json_lines',
    '{"at":"2026-01-14","email":"anna@example.com","amount":1.50}\n\n{"at":"x","amount":null}\r\n',
    [1, 3],
  ],
  ['csv', 'email;at;amount\n"anna@example.com";2026-01-14;1.50\n;x;\n', [2, 3]],
])(
  'rows of %s come as they are written, personal fields masked, missing values null',
  (format, text, lines) => {
    const shown = read(text, format)
    expect(shown).toEqual({
      rows: [
        row(1, lines[0]!, [{ text: '2026-01-14' }, { masked: true }, { text: '1.50' }]),
        row(2, lines[1]!, [{ text: 'x' }, null, null]),
      ],
      broken: null,
      hasMore: false,
    })
  },
)

test('rows of SIE have the declared fields alone, personal ones masked', () => {
  const of = [
    { name: 'amount', isMasked: false },
    { name: 'text', isMasked: true },
    { name: 'unknown', isMasked: false },
  ]
  const file = '#FLAGGA 0\n#VER A 1 20260114 "Anna Ek"\n{\n#TRANS 3001 {} -12.50\n#TRANS 1930 {} 12.50\n}\n'
  expect(read(file, 'sie', all, of).rows).toEqual([
    row(1, 4, [{ text: '-12.50' }, { masked: true }, null]),
    row(2, 5, [{ text: '12.50' }, { masked: true }, null]),
  ])
})

test('one object is one row', () => {
  expect(read('{"amount":"7"}', 'json').rows).toEqual([row(1, null, [null, null, { text: '7' }])])
  expect(read('[]', 'json')).toEqual({ rows: [], broken: null, hasMore: false })
})

test('an object under a personal field is masked whole, under another it is shown as it is written', () => {
  const text = '[{"email":{"address":"anna@example.com"},"amount":{"a":["1",2]}}]'
  expect(read(text, 'json').rows[0]!.values).toEqual([null, { masked: true }, { text: '{"a":["1",2]}' }])
})

test.each([
  ['an object', '{"name":{"first":"Anna"},"Email":"anna@example.com"}'],
  ['an object in a list', '[1,{"to":[{"EMAIL":"anna@example.com"}]}]'],
  ['a key that is escaped', String.raw`{"\u0065mail" : "anna@example.com"}`],
  ['a key that is a path', '{"contact.email":"anna@example.com"}'],
])('%s with something named like a personal field is masked, for every name of the field', (_name, value) => {
  const shown = read(`[{"amount":${value}}]`, 'json')
  expect(shown.rows[0]!.values).toEqual([null, null, { masked: true }])
})

test('a personal field that the version has not, or has as a path, masks what is named like it inside of others', () => {
  const text = '[{"amount":{"ssn":"19811218-9876"}}]'
  expect(read(text, 'json', all, fields, ['customer.ssn']).rows[0]!.values![2]).toEqual({ masked: true })
  expect(read(text, 'json', all, fields, ['person']).rows[0]!.values![2]).toEqual({
    text: '{"ssn":"19811218-9876"}',
  })
})

test('a text that reads like a key is none', () => {
  const text = String.raw`[{"amount":{"a":"email","b":["email"],"c":"\"email\":"}}]`
  expect(read(text, 'json').rows[0]!.values![2]).not.toHaveProperty('masked')
})

test('a key that is escaped is the same key', () => {
  const text = String.raw`[{"\u0065mail":"anna@example.com"}]`
  expect(read(text, 'json').rows[0]!.values).toEqual([null, { masked: true }, null])
})

test('a record with the wrong number of cells shows none of them, since any could be personal', () => {
  const shown = read('at,email,amount\n2026-01-14,anna@example.com\n2026-01-15,,2\n', 'csv')
  expect(shown.rows).toEqual([row(1, 2, null, 2), row(2, 3, [{ text: '2026-01-15' }, null, { text: '2' }])])
  expect(JSON.stringify(shown)).not.toContain('anna')
})

test.each<[string, Format, string, number, number]>([
  ['JSON that breaks off', 'json', '[{"amount":"1"},{"amount":"2","email":"anna@exa', 1, 2],
  ['what follows the list', 'json', '[{"amount":"1"}] x', 1, 2],
  ['an item that is no object', 'json', '[{"amount":"1"},2]', 1, 2],
  ['no list at all', 'json', '"anna@example.com"', 0, 1],
  ['nothing', 'json', '', 0, 1],
  ['a key twice', 'json', '[{"amount":"1"},{"email":"anna","email":"eva"}]', 1, 2],
  ['a broken line', 'json_lines', '{"amount":"1"}\n{"email":"anna"', 1, 2],
  ['an object over two lines', 'json_lines', '{"amount":\n"1"}', 0, 1],
  ['a quote that is never closed', 'csv', 'at,email,amount\n,,1\n,"anna@example.com,2\n', 1, 2],
  ['no header row', 'csv', '', 0, 1],
  ['a SIE file without its flag', 'sie', '#VER A 1 20260114 "Anna"\n', 0, 1],
])('%s: the rows before it are shown, and where it is', (_name, format, text, rows, broken) => {
  const shown = read(text, format)
  expect(shown.rows).toHaveLength(rows)
  expect(shown.broken).toMatchObject({ row: broken })
  expect(shown.hasMore).toBe(false)
  expect(JSON.stringify(shown)).not.toMatch(/anna/i)
})

test('endless nesting is reported as broken', () => {
  expect(read(`[{"amount":${'['.repeat(100_000)}`, 'json').broken).toMatchObject({ row: 1 })
})

test('bytes that are not UTF-8 are marked in place, and hide nothing else', () => {
  const content = Buffer.concat([
    Buffer.from('[{"amount":"1'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('","at":"x","email":"'),
    Buffer.from([0xc3]),
    Buffer.from('"}]'),
  ])
  expect(read(content, 'json').rows[0]!.values).toEqual([
    { text: 'x' },
    { masked: true },
    { text: '1\u{FFFD}\u{FFFD}', broken: true },
  ])
})

test('NUL and lone surrogates come through as they were sent', () => {
  const [shown] = read(String.raw`[{"amount":"a\u0000b\ud800"}]`, 'json').rows
  expect(shown!.values![2]).toEqual({ text: 'a\0b\ud800' })
  expect(JSON.stringify(shown)).toContain(String.raw`\ud800`)
})

test('a long value is cut between characters, and its length is given', () => {
  const [shown] = read(JSON.stringify([{ amount: '😀'.repeat(1_001) }]), 'json').rows
  expect(shown!.values![2]).toEqual({ text: '😀'.repeat(1_000), characters: 1_001 })
  const [whole] = read(JSON.stringify([{ amount: '😀'.repeat(1_000) }]), 'json').rows
  expect(whole!.values![2]).toEqual({ text: '😀'.repeat(1_000) })
})

test('a value of 8 MiB costs its beginning, and a masked one not even its length', () => {
  const text = 'x'.repeat(8_000_000)
  const shown = read(JSON.stringify([{ amount: text, email: text }]), 'json')
  expect(shown.rows[0]!.values).toEqual([
    null,
    { masked: true },
    { text: 'x'.repeat(1_000), characters: 8_000_000 },
  ])
})

test('pages follow each other without a gap, also of refused rows alone', () => {
  const text = JSON.stringify(Array.from({ length: 5 }, (_, index) => ({ amount: String(index + 1) })))
  const amounts = (request: Page) => {
    const { rows, hasMore } = read(text, 'json', request)
    return [rows.map(({ row: number }) => number), hasMore]
  }
  expect(amounts({ after: 0, limit: 2 })).toEqual([[1, 2], true])
  expect(amounts({ after: 2, limit: 2 })).toEqual([[3, 4], true])
  expect(amounts({ after: 4, limit: 2 })).toEqual([[5], false])
  expect(amounts({ after: 3, limit: 2 })).toEqual([[4, 5], false])
  expect(amounts({ after: 99, limit: 2 })).toEqual([[], false])
  expect(amounts({ after: 0, limit: 2, only: [2, 4, 5] })).toEqual([[2, 4], true])
  expect(amounts({ after: 4, limit: 2, only: [2, 4, 5] })).toEqual([[5], false])
  expect(amounts({ after: 0, limit: 2, only: [] })).toEqual([[], false])
})

test('a page of wide rows ends before it is too large, and its first row is always there', () => {
  const wide = Array.from({ length: 200 }, (_, index) => ({ name: `f${index}`, isMasked: false }))
  // Each is six characters of JSON.
  const value = '\u0001'.repeat(1_000)
  const rows = Array.from({ length: 20 }, () => Object.fromEntries(wide.map(({ name }) => [name, value])))
  const shown = read(JSON.stringify(rows), 'json', all, wide)
  expect(shown.hasMore).toBe(true)
  expect(shown.rows.length).toBeGreaterThan(0)
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(shownBytesMax * 1.1)
})
