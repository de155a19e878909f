import * as fc from 'fast-check'

const surrogates = { first: 0xd8_00, count: 0x8_00 }

/** Any character but halves of surrogate pairs. */
const character = fc
  .integer({ min: 0, max: 0x10_ff_ff - surrogates.count })
  .map((code) => String.fromCodePoint(code < surrogates.first ? code : code + surrogates.count))

/** A text of any characters. fast-check's own (`unit: 'binary'`) makes a list of all of Unicode first, which takes seconds. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc.array(character, maxLength === undefined ? {} : { maxLength }).map((characters) => characters.join(''))
