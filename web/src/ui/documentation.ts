/** The address of the documentation in a language of the pages. */
export function documentationIn(language: string): string {
  return language === 'sv' ? '/docs/sv' : '/docs'
}
