import { dateOfDay, dayNumber } from './calendar.ts'

/** Calendar periods in the company's time zone; a week begins on Monday. */
export const periods = ['day', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** The first and the last day of samples: those of years that a date can be written with. */
export const firstPeriodDay: number = dayNumber(1, 1, 1)
export const lastPeriodDay: number = dayNumber(9999, 12, 31)

/** The first day of the day, week (from Monday) or month in which the company's day `day` lies [all.time]. */
export function periodStart(period: Period, day: number): number {
  if (period === 'day') return day
  if (period === 'month') return day - dateOfDay(day).day + 1
  // Day 0 was a Thursday. The remainder of a negative number is brought back into 0 to 6.
  return day - ((((day + 3) % 7) + 7) % 7)
}

/** A day as `YYYY-MM-DD`; of the years 0000 to 9999. */
export function formatDay(day: number): string {
  const date = dateOfDay(day)
  return `${String(date.year).padStart(4, '0')}-${twoDigits(date.month)}-${twoDigits(date.day)}`
}

/** A number below 100 in two digits. */
export function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}
