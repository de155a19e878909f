import { languageAt, type Language } from './addresses.ts'

/** In order, as named in front matter. */
export const sections = ['Begin', 'Send', 'Read', 'Apps', 'Run', 'Look up'] as const
export type Section = (typeof sections)[number]

/** A page's front matter. */
export interface PageEntry {
  address: string
  title: string
  /** One sentence; empty where there is none. */
  summary: string
  section: Section
  /** Its place within the section. */
  order: number
  /** Words that readers search for but the text lacks, by the anchor of the heading that they should find. */
  search?: Readonly<Record<string, string>>
}

export interface NavigationSection {
  section: Section
  pages: (PageEntry & { language: Language })[]
}

/** The same for a page and its translation. */
function toName(address: string): string {
  return address.replace(/^\/docs\/(?:sv\/)?/, '')
}

/** The page in the other language. */
export function findTranslation(pages: readonly PageEntry[], address: string): PageEntry | undefined {
  const language = languageAt(address)
  return pages.find(
    (page) => languageAt(page.address) !== language && toName(page.address) === toName(address),
  )
}

/** All pages by section, in this language or else in English. */
export function createNavigation(pages: readonly PageEntry[], language: Language): NavigationSection[] {
  const shown = pages.filter(({ address }) =>
    languageAt(address) === language
      ? true
      : language !== 'en' && findTranslation(pages, address) === undefined,
  )
  return sections
    .map((section) => ({
      section,
      pages: shown
        .filter((page) => page.section === section)
        .toSorted((a, b) => a.order - b.order || a.title.localeCompare(b.title))
        .map((page) => ({ ...page, language: languageAt(page.address) })),
    }))
    .filter(({ pages: inSection }) => inSection.length > 0)
}

/** The pages before and after a page. */
export function findNeighbours(
  navigation: readonly NavigationSection[],
  address: string,
): { previous: PageEntry | undefined; next: PageEntry | undefined } {
  const pages = navigation.flatMap((section) => section.pages)
  const at = pages.findIndex((page) => page.address === address)
  return at < 0 ? { previous: undefined, next: undefined } : { previous: pages[at - 1], next: pages[at + 1] }
}
