import { TimeZone } from '../../formats/values/time-zone.ts'

const zones = new Map<string, TimeZone>()

/** The current day in a time zone, counted from 1970-01-01; correct through every clock change [all.time]. */
export function companyDay(timeZone: string, nowMs: number): number {
  let zone = zones.get(timeZone)
  if (!zone) zones.set(timeZone, (zone = new TimeZone(timeZone)))
  return zone.toDay(Math.floor(nowMs / 1_000))
}
