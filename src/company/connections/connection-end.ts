/** One year later by the company's calendar: the same date and time of day; 28 February after 29 February. */
function yearAfter(instantMs: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timeZone).add({ years: 1 })
}

/** The end date in a text signed now, `YYYY-MM-DD` in the company's time zone. */
export function connectionEndDate(nowMs: number, timeZone: string): string {
  return yearAfter(nowMs, timeZone).toPlainDate().toString()
}

/**
 * When a connection that is signed now ends: a year from the signing [conn.sign], and not later than the date that was
 * signed, in case midnight passed between reading the text and signing it.
 *
 * @returns milliseconds since 1970
 */
export function connectionEndMs(signedAtMs: number, endDate: string, timeZone: string): number {
  const lastDayEnds = Temporal.PlainDate.from(endDate).add({ days: 1 }).toZonedDateTime(timeZone)
  return Math.min(yearAfter(signedAtMs, timeZone).epochMilliseconds, lastDayEnds.epochMilliseconds)
}
