import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type OpenedPage, type Pages, startPages } from './open-pages.ts'

/**
 * The pages for the tests of a file. What a test opens is closed behind it, and must have had nothing to complain of.
 *
 * @returns opens a page
 */
export function startPagesForTests(): Pages['open'] {
  let pages: Pages
  const opened: OpenedPage[] = []
  beforeAll(async () => {
    pages = await startPages()
  }, 60_000)
  afterAll(() => pages?.[Symbol.asyncDispose]())
  afterEach(async () => {
    const all = opened.splice(0)
    await Promise.all(all.map((page) => page[Symbol.asyncDispose]()))
    expect(all.flatMap(({ complaints }) => complaints)).toEqual([])
  })
  return async (...given) => {
    const page = await pages.open(...given)
    opened.push(page)
    return page
  }
}
