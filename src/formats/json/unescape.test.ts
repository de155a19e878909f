import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { unescape } from './unescape.ts'

const escapedUnits = (text: string, upper: boolean): string =>
  Array.from({ length: text.length }, (_, index) => {
    const hex = text.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\u${upper ? hex.toUpperCase() : hex}`
  }).join('')

const says = (written: string): string => {
  const bytes = Buffer.from(`"${written}"`)
  const out = Buffer.alloc(bytes.length)
  return out.toString('utf8', 0, unescape(bytes, 1, bytes.length - 1, out, 0))
}

test('a decoded string is what JSON.parse returns, and never longer than its source', () => {
  const piece = fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed())
  const writing = fc.oneof(
    piece.map((text) => JSON.stringify(text).slice(1, -1)),
    piece.map((text) => escapedUnits(text, false)),
    piece.map((text) => escapedUnits(text, true)),
    fc.constantFrom('\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\"', '\\\\', '\\u0001', '\\ud83d\\ude00'),
  )
  fc.assert(
    fc.property(fc.array(writing), (pieces) => {
      const written = pieces.join('')
      expect(says(written)).toBe(JSON.parse(`"${written}"`))
      expect(Buffer.byteLength(says(written))).toBeLessThanOrEqual(Buffer.byteLength(written))
    }),
  )
})
