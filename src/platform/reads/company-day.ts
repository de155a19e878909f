import { TimeZone } from '../../formats/values/time-zone.ts'

const zones = new Map<string, TimeZone>()

function toZone(timeZone: string): TimeZone {
  let zone = zones.get(timeZone)
  if (!zone) zones.set(timeZone, (zone = new TimeZone(timeZone)))
  return zone
}

/** The current day in a time zone, counted from 1970-01-01; correct through every clock change [all.time]. */
export function companyDay(timeZone: string, nowMs: number): number {
  return toZone(timeZone).toDay(Math.floor(nowMs / 1_000))
}

/** The first instant after a day in a time zone, in milliseconds. */
export function endOfDay(timeZone: string, day: number): number {
  return toZone(timeZone).toMidnight(day + 1) * 1_000
}
