/** The last day of a company that ends by an instant: `YYYY-MM-DD`. */
export function dayBefore(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime() - 1)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString()
}
