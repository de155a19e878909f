import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from './decimal.ts'
import { InvalidRow, type Rows, type Value, writePush } from './rows.ts'

const write = async (rows: Rows): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode(await writePush('k', 1, rows))).payload

test('values are written exactly, as strings', async () => {
  const values: [Value, unknown][] = [
    ['1249.50', '1249.50'],
    [249.5, '249.5'],
    [-0, '0'],
    [1e21, '1000000000000000000000'],
    [12345678901234567890n, '12345678901234567890'],
    [Decimal.from('0.10'), '0.1'],
    [true, 'true'],
    [null, null],
    [new Date('2026-11-22T08:30:00Z'), '2026-11-22T08:30:00.000Z'],
    [Temporal.Instant.from('2026-11-22T08:30:00Z'), '2026-11-22T08:30:00Z'],
    [Temporal.ZonedDateTime.from('2026-11-22T09:30:00+01:00[Europe/Stockholm]'), '2026-11-22T09:30:00+01:00'],
    [Temporal.PlainDate.from('2026-11-22'), '2026-11-22'],
    ['2026-11-22T09:30:00+01:00', '2026-11-22T09:30:00+01:00'],
  ]
  for (const [value, text] of values) expect(await write({ field: value })).toEqual({ field: text })
  expect(await write({ kept: 'x', missing: undefined })).toEqual({ kept: 'x' })
})

async function* give() {
  yield { a: '1' }
  yield { a: '2' }
}

test('rows come from an object, a list or anything that gives them in time', async () => {
  expect(await write({ a: '1' })).toEqual({ a: '1' })
  expect(await write(new Set([{ a: '1' }]))).toEqual([{ a: '1' }])
  expect(await write(give())).toEqual([{ a: '1' }, { a: '2' }])
  expect(await write([])).toEqual([])
})

test.each<[string, unknown, RegExp]>([
  ['a float beyond 15 digits', 0.1 + 0.2, /15 digits/],
  ['an integer beyond 15 digits', 2 ** 53, /15 digits/],
  ['NaN', Number.NaN, /15 digits/],
  ['infinity', Number.POSITIVE_INFINITY, /15 digits/],
  ['a number of 39 digits', 10n ** 38n, /38 digits/],
  ['a number with 19 decimals', Decimal.from('1e-19'), /18 decimals/],
  ['a time without an offset', '2026-11-22T09:30:00', /offset/],
  ['a local time', Temporal.PlainDateTime.from('2026-11-22T09:30:00'), /offset/],
  ['an invalid date', new Date('soon'), /date/],
  ['an object', { nested: '1' }, /object/],
  ['a list', ['1'], /object/],
  ['a symbol', Symbol('x'), /symbol/],
])('%s is refused before anything is sent, with row and field', async (_, value, sentence) => {
  const rows = [{ amount: '1' }, { amount: value as Value }]
  const error = await writePush('k', 1, rows).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InvalidRow)
  expect(error).toMatchObject({ row: 2, field: 'amount', message: expect.stringMatching(sentence) })
})

test('every decimal of 38 digits arrives unchanged', async () => {
  const decimal = fc
    .tuple(fc.stringMatching(/^[1-9][0-9]{0,37}$/), fc.nat(18), fc.boolean())
    .map(([digits, scale, isNegative]) => {
      const padded = digits.padStart(scale + 1, '0')
      const point = padded.length - scale
      const text = scale === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`
      return { text: `${isNegative ? '-' : ''}${text}`, scale }
    })
  await fc.assert(
    fc.asyncProperty(decimal, async ({ text, scale }) => {
      const shown = scale === 0 ? text : text.replace(/\.?0*$/, '')
      expect(await write({ amount: Decimal.from(text) })).toEqual({ amount: shown })
      expect(Decimal.from(shown).toString()).toBe(shown)
    }),
    { numRuns: 1000 },
  )
})

test('a decimal is not mixed with floats by accident', () => {
  const price = Decimal.from('0.1')
  expect(`${price}`).toBe('0.1')
  expect(JSON.stringify({ price })).toBe('{"price":"0.1"}')
  expect(() => (price as unknown as number) + 1).toThrow(TypeError)
  expect(() => Object.assign(price, { scale: 3 })).toThrow(TypeError)
})
