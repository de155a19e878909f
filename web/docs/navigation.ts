import { languageOf, type Language } from './addresses.ts'

/** The sections in their order, as front matter names them. */
export const sections = ['Begin', 'Send', 'Read', 'Apps', 'Run', 'Look up'] as const
export type Section = (typeof sections)[number]

/** A page as its front matter describes it. */
export interface PageEntry {
  address: string
  title: string
  /** One sentence; empty where there is none. */
  summary: string
  section: Section
  /** Its place within the section. */
  order: number
  /** Words that readers search for and its text does not have, by the anchor of the heading that they should find. */
  search?: Readonly<Record<string, string>>
}

/** A section of the list at the side, with its pages. */
export interface NavigationSection {
  section: Section
  pages: (PageEntry & { language: Language })[]
}

/** What two pages have in common that are the same in two languages. */
function nameOf(address: string): string {
  return address.replace(/^\/docs\/(?:sv\/)?/, '')
}

/** The same page in the other language; undefined where there is none. */
export function translationOf(pages: readonly PageEntry[], address: string): PageEntry | undefined {
  const language = languageOf(address)
  return pages.find(
    (page) => languageOf(page.address) !== language && nameOf(page.address) === nameOf(address),
  )
}

/** All pages by section, each in this language where it is written in it, else in English. */
export function navigationOf(pages: readonly PageEntry[], language: Language): NavigationSection[] {
  const shown = pages.filter(({ address }) =>
    languageOf(address) === language
      ? true
      : language !== 'en' && translationOf(pages, address) === undefined,
  )
  return sections
    .map((section) => ({
      section,
      pages: shown
        .filter((page) => page.section === section)
        .toSorted((a, b) => a.order - b.order || a.title.localeCompare(b.title))
        .map((page) => ({ ...page, language: languageOf(page.address) })),
    }))
    .filter(({ pages: inSection }) => inSection.length > 0)
}

/** Where a page stands: its section, and what is read before and after it. */
export function placeOf(
  navigation: readonly NavigationSection[],
  address: string,
): { previous: PageEntry | undefined; next: PageEntry | undefined } {
  const pages = navigation.flatMap((section) => section.pages)
  const at = pages.findIndex((page) => page.address === address)
  return at < 0 ? { previous: undefined, next: undefined } : { previous: pages[at - 1], next: pages[at + 1] }
}
