import { expect, test } from 'vitest'
import { addressOf } from './addresses.ts'
import { navigationOf, type PageEntry, placeOf, type Section, translationOf } from './navigation.ts'

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
  navigationOf(pages, language).flatMap((section) => section.pages.map(({ address }) => address))

test('Pages stand by section and order, and in English without those in Swedish', () => {
  expect(shown('en')).toEqual(['/docs/start', '/docs/webhooks', '/docs/push', '/docs/samples'])
  expect(navigationOf(pages, 'en').map(({ section }) => section)).toEqual(['Begin', 'Send', 'Read'])
})

test('In Swedish, a page that is not translated is there in English', () => {
  expect(shown('sv')).toEqual(['/docs/sv/start', '/docs/webhooks', '/docs/push', '/docs/samples'])
})

test('A page leads to the one before it and the one after it', () => {
  const navigation = navigationOf(pages, 'en')
  expect(placeOf(navigation, '/docs/webhooks')).toMatchObject({
    previous: { address: '/docs/start' },
    next: { address: '/docs/push' },
  })
  expect(placeOf(navigation, '/docs/samples').next).toBeUndefined()
  expect(placeOf(navigation, '/docs/nowhere')).toEqual({ previous: undefined, next: undefined })
})

test('A page knows the same page in the other language', () => {
  expect(translationOf(pages, '/docs/start')?.address).toBe('/docs/sv/start')
  expect(translationOf(pages, '/docs/sv/start')?.address).toBe('/docs/start')
  expect(translationOf(pages, '/docs/push')).toBeUndefined()
})

test('Guides and what lies beside them are pages; decisions, pictures and trials are none', () => {
  expect(addressOf('docs/guides/push.md')).toBe('/docs/push')
  expect(addressOf('docs/guides/sv/start-here.md')).toBe('/docs/sv/start-here')
  expect(addressOf('docs/errors.md')).toBe('/docs/errors')
  for (const path of ['docs/trials.md', 'docs/decisions/pages.md', 'docs/screens/README.md', 'README.md']) {
    expect(addressOf(path), path).toBeUndefined()
  }
})
