import type { Options } from 'minisearch'

/** A part of a page as search finds it: what stands under one heading. */
export interface SearchEntry {
  /** Its address, with the heading's anchor. */
  id: string
  /** Of the page. */
  title: string
  /** Empty for what stands before the first heading. */
  heading: string
  text: string
  /** What readers call it where the text has other words. */
  words: string
  language: 'en' | 'sv'
  /** Whether the page is there in Swedish too: who searches in Swedish is shown that one. */
  translated: boolean
}

/** How the index is made, and how it is read: both must be the same. */
export const indexOptions: Options<SearchEntry> = {
  fields: ['title', 'heading', 'words', 'text'],
  storeFields: ['title', 'heading', 'text', 'language', 'translated'],
  searchOptions: {
    boost: { title: 3, heading: 4, words: 8 },
    prefix: true,
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
}
