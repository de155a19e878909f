import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { languages } from '../http/requests/preferred-language.ts'
import { errorPage, errorPageContentPolicy, type ErrorPageFault } from './error-page.ts'

const faults: ErrorPageFault[] = [
  'unknown_app',
  'unknown_redirect',
  'too_many_requests',
  'unavailable',
  'not_signed_in',
]

test('each page has a title and a sentence in its language', () => {
  const seen = new Set<string>()
  for (const language of languages) {
    for (const fault of faults) {
      const page = errorPage(fault, language)
      expect(page).toContain(`<html lang="${language}">`)
      seen.add(/<h1>(.+)<\/h1>\n<p>.+\.<\/p>/.exec(page)![1]!)
    }
  }
  expect(seen.size).toBe(languages.length * faults.length)
})

test('the content policy allows its one style, and nothing else', () => {
  const page = errorPage('unknown_app', 'en')
  const [style, ...others] = [...page.matchAll(/<style>([^]*?)<\/style>/g)].map((found) => found[1]!)
  expect(others).toEqual([])
  const sha256 = createHash('sha256').update(style!).digest('base64')
  expect(errorPageContentPolicy).toBe(
    `default-src 'none'; style-src 'sha256-${sha256}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect(page).not.toMatch(/<script|<link|<img|style=|src=/)
})
