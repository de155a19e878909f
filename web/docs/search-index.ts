import MiniSearch from 'minisearch'
import { languageOf } from './addresses.ts'
import type { PagePart } from './markdown.ts'
import { translationOf, type PageEntry } from './navigation.ts'
import { indexOptions, type SearchEntry } from './search-options.ts'

/** The index of all pages, a part of a page at a time, as JSON. */
export function buildSearchIndex(
  pages: readonly PageEntry[],
  outlines: ReadonlyMap<string, PagePart[]>,
): string {
  const index = new MiniSearch<SearchEntry>(indexOptions)
  for (const page of pages) {
    const { address, title, summary } = page
    const translated = translationOf(pages, address) !== undefined
    for (const { id, heading, text } of outlines.get(address) ?? []) {
      const words = `${heading === '' ? `${summary} ` : ''}${text}`.replaceAll(/\s+/g, ' ').trim()
      index.add({
        id: id === '' ? address : `${address}#${encodeURIComponent(id)}`,
        title,
        heading,
        text: words,
        language: languageOf(address),
        translated,
      })
    }
  }
  return JSON.stringify(index)
}
