import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as arrays from './binary-array.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { anyText } from '../../../testing/cases/any-text.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database[Symbol.asyncDispose]())

/** What the server makes of a parameter. */
const echo = async (type: string, parameter: Buffer): Promise<unknown> => {
  const { rows } = await database.pool.query(`select $1::${type}[] as elements`, [parameter])
  return rows[0].elements
}

const nullable = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<(T | null)[]> =>
  fc.array(fc.option(arbitrary, { freq: 5 }), { maxLength: 20 })
const int8 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
const text = anyText().filter((value) => !value.includes('\0'))

/** Checks an encoder against the server. */
const agrees = <T>(type: string, elements: fc.Arbitrary<T>, encode: (elements: (T | null)[]) => Buffer) =>
  fc.assert(
    fc.asyncProperty(nullable(elements), async (array) => {
      expect(await echo(type, encode(array))).toEqual(array)
    }),
    { numRuns: 50 },
  )

describe('The server reads what we encoded, nulls and empty arrays too:', () => {
  test('uuid', () => agrees('uuid', fc.uuid(), arrays.uuidArray))
  test('text', () => agrees('text', text, arrays.textArray))
  test('int4', () => agrees('int4', fc.integer(), arrays.int4Array))
  test('bool', () => agrees('bool', fc.boolean(), arrays.boolArray))
  test('timestamptz', () => agrees('timestamptz', instant, arrays.timestamptzArray))
  test('int8', () => agrees('int8', int8.map(String), arrays.int8Array))
  test('date', () =>
    agrees(
      'date',
      instant.map((date) => date.toISOString().slice(0, 10)),
      arrays.dateArray,
    ))
  test('bytea', () => {
    const bytes = fc.uint8Array().map((array) => Buffer.from(array))
    return agrees('bytea', bytes, arrays.byteaArray)
  })
})

test('What cannot be encoded exactly is refused', () => {
  expect(() => arrays.uuidArray(['0189f7e8-0000-7000-8000-00000000000g'])).toThrow(TypeError)
  expect(() => arrays.uuidArray(['0189f7e8000070008000000000000000'])).toThrow(TypeError)
  expect(() => arrays.textArray(['\ud800'])).toThrow(TypeError)
  expect(() => arrays.int8Array([2 ** 53])).toThrow(TypeError)
  expect(() => arrays.int4Array([0.5])).toThrow(TypeError)
  expect(() => arrays.dateArray(['2026-02-30'])).toThrow(TypeError)
})

test('A uuid in capitals and milliseconds since 1970 are taken too', async () => {
  const id = '0189F7E8-0000-7000-8000-00000000ABCD'
  expect(await echo('uuid', arrays.uuidArray([id]))).toEqual([id.toLowerCase()])
  expect(await echo('timestamptz', arrays.timestamptzArray([0]))).toEqual([new Date(0)])
})
