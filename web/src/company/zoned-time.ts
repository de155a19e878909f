import { dayAt, formatTime } from '../language/format-instant.ts'

/** What the clocks of a time zone show at an instant in milliseconds: `2026-10-10T18:00:05`. */
export function wallClockAt(ms: number, timeZone: string): string {
  const time = formatTime(new Date(ms).toISOString(), timeZone, { seconds: true })
  return `${dayAt(ms, timeZone)}T${time}`
}

/** How far a time zone is ahead of UTC at an instant, in milliseconds. */
export function offsetMsAt(ms: number, timeZone: string): number {
  return Date.parse(`${wallClockAt(ms, timeZone)}Z`) - Math.floor(ms / 1_000) * 1_000
}

/** An offset from UTC in RFC 3339, to the minute: `+01:00`. */
export function formatOffset(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${ms < 0 ? '-' : '+'}${hour}:${minute}`
}

/**
 * The instant at which the clocks of a time zone show a day and a time, such as `2026-10-10T18:00`. Where they show it twice, at
 * the end of summer time, the first; where they skip it, as much later as they skip.
 *
 * @returns RFC 3339 in UTC; undefined for what is no day and time
 */
export function instantAt(wallClock: string, timeZone: string): string | undefined {
  const asUtcMs = Date.parse(`${wallClock}Z`)
  if (Number.isNaN(asUtcMs)) return undefined
  // A clock change lies between the day before and the day after.
  const dayMs = 86_400_000
  const offsets = [asUtcMs - dayMs, asUtcMs + dayMs].map((ms) => offsetMsAt(ms, timeZone))
  const found = offsets
    .map((offset) => asUtcMs - offset)
    .filter((ms) => ms + offsetMsAt(ms, timeZone) === asUtcMs)
  return new Date(found.length > 0 ? Math.min(...found) : asUtcMs - offsets[0]!).toISOString()
}

/** An instant in a time zone, RFC 3339 to the second: `2026-11-21T14:03:00+01:00`. */
export function writeZoned(ms: number, timeZone: string): string {
  return `${wallClockAt(ms, timeZone)}${formatOffset(offsetMsAt(ms, timeZone))}`
}
