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

test('Pages stand by section and order, and in English without those in Swedish', () => {
  expect(shown('en')).toEqual(['/docs/start', '/docs/webhooks', '/docs/push', '/docs/samples'])
  expect(createNavigation(pages, 'en').map(({ section }) => section)).toEqual(['Begin', 'Send', 'Read'])
})

test('In Swedish, a page that is not translated is there in English', () => {
  expect(shown('sv')).toEqual(['/docs/sv/start', '/docs/webhooks', '/docs/push', '/docs/samples'])
})

test('A page leads to the one before it and the one after it', () => {
  const navigation = createNavigation(pages, 'en')
  expect(findNeighbours(navigation, '/docs/webhooks')).toMatchObject({
    previous: { address: '/docs/start' },
    next: { address: '/docs/push' },
  })
  expect(findNeighbours(navigation, '/docs/samples').next).toBeUndefined()
  expect(findNeighbours(navigation, '/docs/nowhere')).toEqual({ previous: undefined, next: undefined })
})

test('A page knows the same page in the other language', () => {
  expect(findTranslation(pages, '/docs/start')?.address).toBe('/docs/sv/start')
  expect(findTranslation(pages, '/docs/sv/start')?.address).toBe('/docs/start')
  expect(findTranslation(pages, '/docs/push')).toBeUndefined()
})

test('Guides and what lies beside them are pages; decisions and trials are none', () => {
  expect(toAddress('docs/guides/push.md')).toBe('/docs/push')
  expect(toAddress('docs/guides/sv/start-here.md')).toBe('/docs/sv/start-here')
  expect(toAddress('docs/errors.md')).toBe('/docs/errors')
  for (const path of ['docs/trials.md', 'docs/decisions/pages.md', 'README.md']) {
    expect(toAddress(path), path).toBeUndefined()
  }
})
