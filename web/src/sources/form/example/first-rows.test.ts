import { expect, test } from 'vitest'
import { readFirstRows } from './first-rows.ts'

const large = 2 * 1024 * 1024

/** An example beyond the limit: a beginning, then the same text repeated. */
function example(start: string, again: string): Blob {
  return new Blob([start + again.repeat(Math.ceil(large / again.length))])
}

test('A large CSV file is cut after a whole row, even with quotes', async () => {
  const row = '1,"two\nlines, ""quoted"""\r\n'
  const cut = await (await readFirstRows(example('a,b\r\n', row)))!.text()
  expect(cut.startsWith('a,b\r\n')).toBe(true)
  expect(cut.length).toBeGreaterThan(1_000_000)
  expect(cut.length).toBeLessThanOrEqual(1024 * 1024)
  expect((cut.length - 5) % row.length).toBe(0)
})

test('Large JSON lines are cut after a whole line', async () => {
  const line = '{"a":"one \\" quote"}\n'
  const cut = await (await readFirstRows(example('', line)))!.text()
  expect(cut.length % line.length).toBe(0)
  expect(cut.length).toBeGreaterThan(1_000_000)
})

test('A CSV file in Latin-1 is cut byte by byte', async () => {
  const row = Uint8Array.of(0x6b, 0xf6, 0x70, 0x2c, 0x31, 0x0a)
  const cut = await readFirstRows(new Blob([Buffer.alloc(large, row)]))
  expect(cut!.size % row.length).toBe(0)
})

test.each([
  ['a JSON list', '[', '{"a":1},\n'],
  ['a JSON body of a push', '{\n', '"a": 1,\n'],
  ['a SIE file', '#FLAGGA 0\n', '#TRANS 1910 {} 1.00\n'],
  ['a spreadsheet', 'PK\u0003\u0004', 'x\n'],
  ['one line', 'a', 'a'],
])('Not cut: %s', async (_what, start, again) => {
  expect(await readFirstRows(example(start, again))).toBeUndefined()
})
