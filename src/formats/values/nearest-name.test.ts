import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['from', 'to', 'metric', 'source_id', 'as_of', 'label.country']

test.each([
  ['form', 'from'],
  ['metrics', 'metric'],
  ['Metric', 'metric'],
  ['sourceid', 'source_id'],
  ['sorce_id', 'source_id'],
  ['asof', 'as_of'],
  ['label.contry', 'label.country'],
])('%s is near %s', (given, nearest) => {
  expect(nearestName(given, known)).toBe(nearest)
})

test.each(['', 'q', 'verbose', 'pretty_print'])('Nothing is near "%s"', (given) => {
  expect(nearestName(given, known)).toBeUndefined()
})

test('Of two names that are equally near, the first is chosen', () => {
  expect(nearestName('cat', ['bat', 'hat'])).toBe('bat')
})

test('A name of a megabyte is compared in no time', () => {
  expect(nearestName('x'.repeat(1_000_000), known)).toBeUndefined()
})
