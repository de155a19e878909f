/** Where the documentation begins in a language of the pages; the service answers there with pages of its own. */
export function documentationIn(language: string): string {
  return language === 'sv' ? '/docs/sv' : '/docs'
}
