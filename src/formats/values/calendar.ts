/**
 * Days of the Gregorian calendar, also before it was in use, as whole numbers: day 0 is 1970-01-01.
 * The arithmetic counts years from March, so that the leap day is a year's last.
 */

const daysOfEra = 146_097 // 400 years
const daysToEpoch = 719_468 // from 0000-03-01

/** The day of a date of the year -399 or later. `month` is 1 to 12; `day` is not checked. */
export function dayNumber(year: number, month: number, day: number): number {
  // An era more keeps it above 0, where dividing whole numbers is quick.
  const y = (month > 2 ? year : year - 1) + 400
  const era = (y / 400) | 0
  const yearOfEra = y - era * 400
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1
  const dayOfEra = yearOfEra * 365 + (yearOfEra >> 2) - ((yearOfEra / 100) | 0) + dayOfYear
  return (era - 1) * daysOfEra + dayOfEra - daysToEpoch
}

export interface CalendarDate {
  year: number
  /** 1 to 12. */
  month: number
  /** 1 to 31. */
  day: number
}

/** The date of a day. */
export function dateOfDay(dayNumber: number): CalendarDate {
  const z = dayNumber + daysToEpoch
  const era = Math.floor(z / daysOfEra)
  const dayOfEra = z - era * daysOfEra
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  }
}

/** How many days a month has; 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
