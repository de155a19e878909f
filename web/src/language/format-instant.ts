import { capitalize } from './capitalize.ts'
import { addDays, formatDay } from './format-day.ts'

/** One for each time zone, since creating them is slow. */
const clocks = new Map<string | undefined, Intl.DateTimeFormat>()

function getClock(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...(timeZone !== undefined && { timeZone }),
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  clocks.set(timeZone, clock)
  return clock
}

/** The local date and time at an instant. */
function wall(instant: string | number, timeZone: string | undefined): { day: string; time: string } {
  const at = Object.fromEntries(
    getClock(timeZone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, value]),
  )
  return {
    day: `${at['year']}-${at['month']}-${at['day']}`,
    time: `${at['hour']}:${at['minute']}:${at['second']}`,
  }
}

/** The day at an instant. The time zone defaults to the device's, here and below. */
export function dayAt(instant: string | number, timeZone?: string): string {
  return wall(instant, timeZone).day
}

/** The calendar of texts that members sign for themselves, wherever they read them. */
export const signedDaysZone = 'Europe/Stockholm'

/** The day of an instant, written out: 10 October 2026. */
export function formatInstantDay(language: string, instant: string, timeZone?: string): string {
  return formatDay(language, dayAt(instant, timeZone), 'long')
}

/** The time of day: 14:03, or 14:03:12. */
export function formatTime(instant: string, timeZone?: string, { seconds = false } = {}): string {
  return wall(instant, timeZone).time.slice(0, seconds ? 8 : 5)
}

/** Between a day and a time. */
function join(language: string, day: string, time: string): string {
  return language === 'sv' ? `${day} ${time}` : `${day}, ${time}`
}

/** Day and time: 10 Oct 2026, 18:00. */
export function formatInstant(language: string, instant: string, timeZone?: string): string {
  const { day, time } = wall(instant, timeZone)
  return join(language, formatDay(language, day), time.slice(0, 5))
}

/** Like {@link formatInstant}, with names for near days: Today, 14:03. */
export function formatNear(language: string, instant: string, now: number, timeZone?: string): string {
  const { day, time } = wall(instant, timeZone)
  const today = dayAt(now, timeZone)
  const near = day === today ? 0 : day === addDays(today, -1) ? -1 : undefined
  const name =
    near === undefined ? formatDay(language, day) : relativeTime(language, 'auto').format(near, 'day')
  return join(language, capitalize(name), time.slice(0, 5))
}

/** One for each language, since creating them is slow. */
const relativeTimes = new Map<string, Intl.RelativeTimeFormat>()
const durations = new Map<string, Intl.DurationFormat>()

/** @param numeric `auto` names the near days: today, yesterday */
function relativeTime(language: string, numeric: 'always' | 'auto'): Intl.RelativeTimeFormat {
  const key = `${language} ${numeric}`
  const known = relativeTimes.get(key) ?? new Intl.RelativeTimeFormat(language, { numeric })
  relativeTimes.set(key, known)
  return known
}

/** A time ahead: today, tomorrow, in 12 days; in 5 seconds. */
export function formatAhead(language: string, count: number, unit: 'second' | 'day'): string {
  return relativeTime(language, 'auto').format(count, unit)
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

function inLargestUnit(
  ms: number,
  round: (count: number) => number,
): { count: number; unit: 'minute' | 'hour' | 'day' } {
  if (ms < hourMs) return { count: Math.max(1, round(ms / minuteMs)), unit: 'minute' }
  if (ms < dayMs) return { count: round(ms / hourMs), unit: 'hour' }
  return { count: round(ms / dayMs), unit: 'day' }
}

/** How long ago: 4 minutes ago · för 4 minuter sedan. Less than a minute away, in either direction, is now. */
export function formatAgo(language: string, instant: string, now: number): string {
  const ms = now - Date.parse(instant)
  if (ms < minuteMs) return language === 'sv' ? 'nyss' : 'just now'
  const { count, unit } = inLargestUnit(ms, Math.floor)
  return relativeTime(language, 'always').format(-count, unit)
}

/** How long something lasts, rounded to its largest unit: 4 minutes, 18 hours, 3 days. */
export function formatLength(language: string, ms: number): string {
  const { count, unit } = inLargestUnit(ms, Math.round)
  const format = durations.get(language) ?? new Intl.DurationFormat(language, { style: 'long' })
  durations.set(language, format)
  return format.format({ [`${unit}s`]: count })
}

const minuteS = 60
const hourS = 3_600
const dayS = 86_400

/** The largest gap with a name, in seconds: halfway to the next one, since a rhythm is never exact. */
const rhythms: readonly { upTo: number; en: string; sv: string }[] = [
  { upTo: 1.5 * minuteS, en: 'every minute', sv: 'varje minut' },
  { upTo: 7.5 * minuteS, en: 'every 5 minutes', sv: 'var 5:e minut' },
  { upTo: 12.5 * minuteS, en: 'every 10 minutes', sv: 'var 10:e minut' },
  { upTo: 22 * minuteS, en: 'every 15 minutes', sv: 'varje kvart' },
  { upTo: 45 * minuteS, en: 'every 30 minutes', sv: 'varje halvtimme' },
  { upTo: 1.5 * hourS, en: 'every hour', sv: 'varje timme' },
  { upTo: 3 * hourS, en: 'every 2 hours', sv: 'varannan timme' },
  { upTo: 9 * hourS, en: 'every 6 hours', sv: 'var 6:e timme' },
  { upTo: 18 * hourS, en: 'twice a day', sv: 'två gånger om dagen' },
  { upTo: 1.5 * dayS, en: 'every day', sv: 'varje dag' },
  { upTo: 2.75 * dayS, en: 'every other day', sv: 'varannan dag' },
  { upTo: 5 * dayS, en: 'twice a week', sv: 'två gånger i veckan' },
  { upTo: 10 * dayS, en: 'every week', sv: 'varje vecka' },
  { upTo: 22 * dayS, en: 'twice a month', sv: 'två gånger i månaden' },
  { upTo: 45 * dayS, en: 'every month', sv: 'varje månad' },
  { upTo: 135 * dayS, en: 'every quarter', sv: 'varje kvartal' },
  { upTo: 270 * dayS, en: 'twice a year', sv: 'två gånger om året' },
  { upTo: Infinity, en: 'every year', sv: 'varje år' },
]

/**
 * A rhythm in words, after "usually": every day.
 *
 * @param gapS the usual gap, in seconds
 */
export function formatRhythm(language: string, gapS: number): string {
  const rhythm = rhythms.find(({ upTo }) => gapS <= upTo)!
  return language === 'sv' ? rhythm.sv : rhythm.en
}
