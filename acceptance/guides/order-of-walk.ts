import type { Page } from './page.ts'

/** From one page on, every page that can be reached by the links to what is read next, the first link first. */
export const orderOfWalk = (pages: readonly Page[], from: string): Page[] => {
  const seen = new Set<Page>()
  const visit = (path: string): void => {
    const page = pages.find((each) => each.path === path)
    if (page === undefined || seen.has(page)) return
    seen.add(page)
    for (const next of page.next) visit(next)
  }
  visit(from)
  return Array.from(seen)
}
