import { expect, test } from 'vitest'
import { en } from './en.ts'
import { sv } from './sv.ts'

type Texts = { [key: string]: string | Texts }

/** Each text's placeholders, under the keys that lead to it. */
function placeholdersOf(texts: Texts, path = ''): Record<string, string[]> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, value]) =>
      typeof value === 'string'
        ? { [`${path}${key}`]: [...new Set(value.match(/\{\{\w+\}\}/g))].toSorted() }
        : placeholdersOf(value, `${path}${key}.`),
    ),
  )
}

test('A text names the same things in every language', () => {
  expect(placeholdersOf(sv)).toEqual(placeholdersOf(en))
  expect(placeholdersOf(en)['failure.busy_other']).toEqual(['{{count}}'])
})
