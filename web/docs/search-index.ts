import MiniSearch from 'minisearch'
import { languageAt } from './addresses.ts'
import type { PagePart } from './markdown.ts'
import { findTranslation, type PageEntry } from './navigation.ts'
import { indexOptions, type SearchEntry } from './search-options.ts'

/**
 * The index of all parts of all pages, as JSON.
 *
 * @param problems receives a sentence for each unknown anchor in a page's `search`
 */
export function buildSearchIndex(
  pages: readonly PageEntry[],
  outlines: ReadonlyMap<string, PagePart[]>,
  problems: string[],
): string {
  const index = new MiniSearch<SearchEntry>(indexOptions)
  for (const page of pages) {
    const { address, title, summary, search = {} } = page
    const translated = findTranslation(pages, address) !== undefined
    const parts = outlines.get(address) ?? []
    for (const anchor of Object.keys(search)) {
      if (!parts.some(({ id }) => id === anchor))
        problems.push(`${address} has no heading #${anchor}, which its "search" names.`)
    }
    for (const { id, heading, text } of parts) {
      const shown = `${heading === '' ? `${summary} ` : ''}${text}`.replaceAll(/\s+/g, ' ').trim()
      index.add({
        id: id === '' ? address : `${address}#${encodeURIComponent(id)}`,
        title,
        heading,
        text: shown,
        words: search[id] ?? '',
        language: languageAt(address),
        translated,
      })
    }
  }
  return JSON.stringify(index)
}
