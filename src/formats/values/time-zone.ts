import { dateOfDay } from './calendar.ts'
import { secondsOfDay } from './timestamp.ts'

/** A stretch of time in which a zone's clock did not change. */
interface Stretch {
  /** Seconds since the epoch: the first inside, and the first after. */
  from: number
  until: number
  offsetSeconds: number
}

/**
 * The days of an IANA time zone through every clock change [all.time]. Stretches between clock changes are taken from
 * Temporal once and cached, so that a row costs a comparison. The cache is bounded by the clock changes of the years 0
 * to 9999.
 */
export class TimeZone {
  readonly name: string
  /** Sorted; no two overlap. */
  readonly #stretches: Stretch[] = []
  /** The stretch used last. Most zones have two a year. */
  #current: Stretch = { from: 0, until: 0, offsetSeconds: 0 }
  #previous = this.#current
  /** The midnights of days on or just after a clock change. */
  readonly #midnights = new Map<number, number>()

  /** Throws a `RangeError` for a zone that does not exist. */
  constructor(name: string) {
    this.name = name
    this.toDay(0)
  }

  /** The zone's day, counted from 1970-01-01, at an instant in whole seconds. */
  toDay(seconds: number): number {
    return Math.floor((seconds + this.#stretchAt(seconds).offsetSeconds) / secondsOfDay)
  }

  /**
   * The first instant of a day in whole seconds: midnight, or the first instant after it if the clock skips midnight;
   * for a day that the zone skipped altogether, the first instant of the next one.
   */
  toMidnight(day: number): number {
    const guess = day * secondsOfDay - this.#current.offsetSeconds
    const stretch = this.#stretchAt(guess)
    const midnight = day * secondsOfDay - stretch.offsetSeconds
    // With no clock change for so long before, midnight occurs exactly once.
    if (midnight - stretch.from >= 2 * secondsOfDay && midnight < stretch.until) return midnight
    let seconds = this.#midnights.get(day)
    if (seconds === undefined) {
      const zoned = Temporal.PlainDate.from(dateOfDay(day)).toZonedDateTime(this.name)
      seconds = Math.floor(zoned.epochMilliseconds / 1000)
      this.#midnights.set(day, seconds)
    }
    return seconds
  }

  #stretchAt(seconds: number): Stretch {
    const current = this.#current
    if (seconds >= current.from && seconds < current.until) return current
    const previous = this.#previous
    this.#previous = current
    const isPrevious = seconds >= previous.from && seconds < previous.until
    return (this.#current = isPrevious ? previous : this.#findStretch(seconds))
  }

  #findStretch(seconds: number): Stretch {
    const stretches = this.#stretches
    let low = 0
    let high = stretches.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (stretches[middle]!.until <= seconds) low = middle + 1
      else high = middle
    }
    const found = stretches[low]
    if (found !== undefined && seconds >= found.from) return found
    const stretch = this.#ask(seconds)
    stretches.splice(low, 0, stretch)
    return stretch
  }

  #ask(seconds: number): Stretch {
    const zoned = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(this.name)
    // `previous` looks strictly before the given instant and would miss a change at that very second.
    const previous = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
    const next = zoned.getTimeZoneTransition('next')
    return {
      from: previous === null ? -Infinity : previous.epochMilliseconds / 1000,
      until: next === null ? Infinity : next.epochMilliseconds / 1000,
      offsetSeconds: zoned.offsetNanoseconds / 1_000_000_000,
    }
  }
}
