import type { Options } from 'minisearch'

/** A search result: the text under one heading. */
export interface SearchEntry {
  /** The address with the heading's anchor. */
  id: string
  title: string
  /** Empty before the first heading. */
  heading: string
  text: string
  /** Other words that readers search for. */
  words: string
  language: 'en' | 'sv'
  /** Whether the page exists in both languages: then a search in Swedish finds only the Swedish one. */
  translated: boolean
}

/** Must be the same for creating and for loading the index. */
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
