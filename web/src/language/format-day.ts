/**
 * Days, weeks and months as the API names them: `2026-11-21`, without a clock and so without a time zone. Names of months are
 * our own: browsers differ in how they shorten them.
 */

const months = {
  en: {
    long: 'January February March April May June July August September October November December'.split(' '),
    short: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
    axis: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
  },
  sv: {
    long: 'januari februari mars april maj juni juli augusti september oktober november december'.split(' '),
    short: 'jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.'.split(' '),
    axis: 'jan feb mars apr maj juni juli aug sep okt nov dec'.split(' '),
  },
} as const

type MonthForm = 'long' | 'short' | 'axis'

/** `month` from 1. */
export function monthName(language: string, month: number, form: MonthForm): string {
  return months[language === 'sv' ? 'sv' : 'en'][form][month - 1] ?? ''
}

export type Grain = 'day' | 'week' | 'month'

interface Day {
  year: number
  month: number
  day: number
}

/** @param day `2026-11-21`; further characters are ignored */
function parts(day: string): Day {
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), day: Number(day.slice(8, 10)) }
}

const dayMs = 86_400_000

/** The day a number of days later, or earlier if negative. */
export function addDays(day: string, days: number): string {
  const { year, month, day: date } = parts(day)
  return new Date(Date.UTC(year, month - 1, date) + days * dayMs).toISOString().slice(0, 10)
}

/** ISO 8601: week 1 is the one with the year's first Thursday. */
export function toIsoWeek(day: string): { year: number; week: number } {
  const { year, month, day: date } = parts(day)
  const utc = new Date(Date.UTC(year, month - 1, date))
  const thursday = new Date(utc.getTime() + (3 - ((utc.getUTCDay() + 6) % 7)) * dayMs)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return {
    year: thursday.getUTCFullYear(),
    week: 1 + Math.floor((thursday.getTime() - first) / (7 * dayMs)),
  }
}

/** 10 Oct 2026 · 10 okt. 2026; long: 10 October 2026 · 10 oktober 2026. */
export function formatDay(language: string, day: string, form: 'long' | 'short' = 'short'): string {
  const { year, month, day: date } = parts(day)
  return `${date} ${monthName(language, month, form)} ${year}`
}

/** Both days inclusive: 9–15 Nov 2026. Without the year if it is the current one: 28 Sep–4 Oct. */
export function formatDayRange(language: string, first: string, last: string, thisYear?: number): string {
  const [a, b] = [parts(first), parts(last)]
  const year = thisYear === b.year && a.year === b.year ? '' : ` ${b.year}`
  const end = `${b.day} ${monthName(language, b.month, 'short')}${year}`
  if (first === last) return end
  if (a.year !== b.year) return `${a.day} ${monthName(language, a.month, 'short')} ${a.year}–${end}`
  if (a.month !== b.month) return `${a.day} ${monthName(language, a.month, 'short')}–${end}`
  return `${a.day}–${end}`
}

/**
 * A period by its first day: 10 Oct 2026 · Week 46, 9–15 Nov · October 2026, in Swedish without capitals.
 *
 * @param thisYear where given, a week of it is named without the year
 */
export function formatPeriod(language: string, start: string, grain: Grain, thisYear?: number): string {
  const { year, month } = parts(start)
  if (grain === 'day') return formatDay(language, start)
  if (grain === 'month') return `${monthName(language, month, 'long')} ${year}`
  const { week } = toIsoWeek(start)
  const word = language === 'sv' ? 'vecka' : 'Week'
  return `${word} ${week}, ${formatDayRange(language, start, addDays(start, 6), thisYear)}`
}

/** In a sentence or under an axis: 10 Oct · week 46 · October; in Swedish 10 okt · vecka 46 · oktober. */
export function formatPeriodShort(language: string, start: string, grain: Grain): string {
  const { month, day } = parts(start)
  if (grain === 'day') return `${day} ${monthName(language, month, 'axis')}`
  if (grain === 'month') return monthName(language, month, 'long')
  return `${language === 'sv' ? 'vecka' : 'week'} ${toIsoWeek(start).week}`
}

/** Under a narrow axis: 10 · 46 · Oct. */
export function formatTick(language: string, start: string, grain: Grain): string {
  const { month, day } = parts(start)
  return grain === 'day'
    ? `${day} ${monthName(language, month, 'axis')}`
    : grain === 'week'
      ? String(toIsoWeek(start).week)
      : monthName(language, month, 'axis')
}
