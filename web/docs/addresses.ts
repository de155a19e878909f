export type Language = 'en' | 'sv'

/** A guide, a Swedish guide, or another page of `docs/`. */
const pagePattern = /^docs\/(?:guides\/(sv\/)?)?([\w-]+)\.md$/
/** For people who work on the service. */
const unpublished = new Set(['docs/trials.md'])

/**
 * The address of a Markdown file; undefined where it is no page.
 *
 * @param path from the repository's root
 */
export function toAddress(path: string): string | undefined {
  const [, language = '', name] = pagePattern.exec(path) ?? []
  return name === undefined || unpublished.has(path) ? undefined : `/docs/${language}${name}`
}

export function languageAt(address: string): Language {
  return /^\/docs\/sv(?:\/|$)/.test(address) ? 'sv' : 'en'
}

/** The page's file in the built folder, without its suffix. */
export function toFile(address: string): string {
  return address === '/docs' ? 'index' : address.slice('/docs/'.length)
}
