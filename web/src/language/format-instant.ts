/** English as it is written in Europe: the day before the month. */
const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language)

/** A day as the reader's language writes it, in the time zone of their device. */
export const formatDay = (language: string, instant: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' }).format(new Date(instant))

/** Day and time, short. */
export const formatInstant = (language: string, instant: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  )
