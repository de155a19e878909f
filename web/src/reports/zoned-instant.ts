import { dayAt, formatTime } from '../language/format-instant.ts'

/** What a field for day and time holds at an instant: `2026-10-10T18:00`. */
export function wallClock(instant: string, timeZone: string): string {
  return `${dayAt(instant, timeZone)}T${formatTime(instant, timeZone)}`
}

/**
 * The instant at which the clocks of a time zone show a day and a time. Where they show it twice, as when summer time ends, the
 * first; where they pass over it, as many minutes later.
 *
 * @param wall `2026-10-10T18:00`
 * @returns RFC 3339 in UTC; undefined for what is no day and time
 */
export function instantAt(wall: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const shownAt = (ms: number): number => Date.parse(`${wallClock(new Date(ms).toISOString(), timeZone)}Z`)
  // How far the zone is ahead a day before and a day after: between them lies any change of its clocks.
  const dayMs = 86_400_000
  const ahead = [asUtc - dayMs, asUtc + dayMs].map((ms) => shownAt(ms) - ms)
  const found = ahead.map((ms) => asUtc - ms).filter((ms) => shownAt(ms) === asUtc)
  return new Date(found.length > 0 ? Math.min(...found) : asUtc - ahead[0]!).toISOString()
}
