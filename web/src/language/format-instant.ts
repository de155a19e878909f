/** A day as the reader's language writes it, in the time zone of their device. */
export const formatDay = (language: string, instant: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(instant))

/** Day and time, short. */
export const formatInstant = (language: string, instant: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))
