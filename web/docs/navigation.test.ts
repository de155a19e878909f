import { expect, test } from 'vitest'
import { toAddress } from './addresses.ts'
import {
  createNavigation,
  type PageEntry,
  findNeighbours,
  type Section,
  findTranslation,
} from './navigation.ts'

const page = (address: string, section: Section, order: number): PageEntry => ({
  address,
  title: `About ${address}`,
  summary: '',
  section,
  order,
})

const pages = [
  page('/docs/samples', 'Read', 1),
  page('/docs/push', 'Send', 2),
  page('/docs/webhooks', 'Send', 1),
  page('/docs/start', 'Begin', 1),
  page('/docs/sv/start', 'Begin', 1),
]

const shown = (language: 'en' | 'sv'): string[] =>
  createNavigation(pages, language).flatMap((section) => section.pages.map(({ address }) => address))

test('Pages are sorted by section and order; the English list has no Swedish ones', () => {
  expect(shown('en')).toEqual(['/docs/start', '/docs/webhooks', '/docs/push', '/docs/samples'])
  expect(createNavigation(pages, 'en').map(({ section }) => section)).toEqual(['Begin', 'Send', 'Read'])
})

test('The Swedish list has untranslated pages in English', () => {
  expect(shown('sv')).toEqual(['/docs/sv/start', '/docs/webhooks', '/docs/push', '/docs/samples'])
})

test('A page links to the previous and the next one', () => {
  const navigation = createNavigation(pages, 'en')
  expect(findNeighbours(navigation, '/docs/webhooks')).toMatchObject({
    previous: { address: '/docs/start' },
    next: { address: '/docs/push' },
  })
  expect(findNeighbours(navigation, '/docs/samples').next).toBeUndefined()
  expect(findNeighbours(navigation, '/docs/nowhere')).toEqual({ previous: undefined, next: undefined })
})

test('A page links to its translation', () => {
  expect(findTranslation(pages, '/docs/start')?.address).toBe('/docs/sv/start')
  expect(findTranslation(pages, '/docs/sv/start')?.address).toBe('/docs/start')
  expect(findTranslation(pages, '/docs/push')).toBeUndefined()
})

test('Guides and other documents are pages; decisions and trials are not', () => {
  expect(toAddress('docs/guides/push.md')).toBe('/docs/push')
  expect(toAddress('docs/guides/sv/start-here.md')).toBe('/docs/sv/start-here')
  expect(toAddress('docs/errors.md')).toBe('/docs/errors')
  for (const path of ['docs/trials.md', 'docs/decisions/pages.md', 'README.md']) {
    expect(toAddress(path), path).toBeUndefined()
  }
})
