/** English as it is written in Europe: the day before the month. */
const locales = { en: 'en-GB', sv: 'sv-SE' } as const

/**
 * A date in a sentence: `21 November 2027`, `21 november 2027`. As the pages write it, so that the signed text has
 * the same day in the same words.
 *
 * @param date `YYYY-MM-DD`
 */
export function longDate(date: string, language: keyof typeof locales): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )
}
