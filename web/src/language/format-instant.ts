/** English as it is written in Europe: the day before the month. */
function localeOf(language: string): string {
  return language === 'en' ? 'en-GB' : language
}

/** A day as the reader's language writes it, in the time zone of their device. */
export function formatDay(language: string, instant: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' }).format(new Date(instant))
}

/** Day and time, short, in the time zone of the reader's device. */
export function formatInstant(language: string, instant: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  )
}
