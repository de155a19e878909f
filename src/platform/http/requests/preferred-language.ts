/** The languages that pages are written in. The first is for people who read neither. */
export const languages = ['en', 'sv'] as const
export type Language = (typeof languages)[number]

/**
 * The one of these languages that an `Accept-Language` header prefers (RFC 9110, 12.5.4). A regional one counts as its
 * language; of equals the first is taken.
 */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const ranges = (acceptLanguage ?? '').split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: range.split('-', 1)[0], weight: weight === undefined ? 1 : Number(weight) }
  })
  const [best] = ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ language }) => languages.filter((ours) => ours === language))
  return best ?? languages[0]
}
