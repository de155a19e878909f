import { expect, test } from 'vitest'
import { findPhrases } from '../../../scripts/phrases.ts'

interface Texts {
  [key: string]: string | Texts
}

const english = import.meta.glob<{ en: Texts }>('./en/*.ts', { eager: true })
const swedish = import.meta.glob<{ sv: Texts }>('./sv/*.ts', { eager: true })

const areas = Object.entries(english).map(
  ([file, module]) => [file, module.en, swedish[file.replace('/en/', '/sv/')]!.sv] as const,
)

/** Each text by its path of keys. */
function flatten(texts: Texts, path = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, value]) =>
      typeof value === 'string' ? { [`${path}${key}`]: value } : flatten(value, `${path}${key}.`),
    ),
  )
}

function findPlaceholders(texts: Texts): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(flatten(texts)).map(([key, text]) => [
      key,
      [...new Set(text.match(/\{\{\w+\}\}/g))].toSorted(),
    ]),
  )
}

test.each(areas)('texts of %s have the same placeholders in every language', (_area, english, swedish) => {
  expect(findPlaceholders(swedish)).toEqual(findPlaceholders(english))
})

/** Marks of a translation besides `scripts/phrases.ts`, and words that the pages replace with others. */
const forbidden = {
  english:
    /\b(beside|asked|by (itself|themselves)|successor|make (a|an|the|another|its)|made (a|an|the))\b|\btake\b.*\boff\b/i,
  swedish:
    /(^|[.!?:] )Numera |\b(gör (en|ett|källan|anslutningen)|gjord|slags|ur ett exempel|bygg(a|s)? om|genast|av sig själv(t|a)?|på nytt|efterträdare)\b/i,
}

function findForbidden(texts: Texts, pattern: RegExp): [key: string, text: string][] {
  return Object.entries(flatten(texts)).filter(([, text]) => pattern.test(text))
}

test.each(areas)('texts of %s have no marks of a translation', (_area, english, swedish) => {
  expect(findForbidden(english, forbidden.english)).toEqual([])
  expect(Object.values(flatten(english)).flatMap(findPhrases)).toEqual([])
  expect(findForbidden(swedish, forbidden.swedish)).toEqual([])
})
