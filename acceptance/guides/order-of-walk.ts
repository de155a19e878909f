import type { Page } from './page.ts'

/** Every page that can be reached from one page by the links to the next pages, depth first. */
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
