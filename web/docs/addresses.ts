/** The languages that documents are in. */
export type Language = 'en' | 'sv'

/** A guide, the same in Swedish, or a page that lies beside the guides. */
const pagePattern = /^docs\/(?:guides\/(sv\/)?)?([\w-]+)\.md$/
/** For who works on the service. */
const unpublished = new Set(['docs/trials.md'])

/**
 * The address of a Markdown file as a page; undefined for what is no page.
 *
 * @param path from the repository's root
 */
export function addressOf(path: string): string | undefined {
  const [, language = '', name] = pagePattern.exec(path) ?? []
  return name === undefined || unpublished.has(path) ? undefined : `/docs/${language}${name}`
}

/** The language of what stands at an address. */
export function languageOf(address: string): Language {
  return /^\/docs\/sv(?:\/|$)/.test(address) ? 'sv' : 'en'
}

/** The file of a page in the built folder, without its suffix; the service answers with it at the page's address. */
export function fileOf(address: string): string {
  return address === '/docs' ? 'index' : address.slice('/docs/'.length)
}
