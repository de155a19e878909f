/** Of a delegated connection, from the consent, in milliseconds. Then its tokens are 401. */
export const lifetimeMs = 90 * 24 * 60 * 60_000

/** Electronic identities are Swedish, and so is their holders' calendar; a consent has no one company's time zone. */
const timeZone = 'Europe/Stockholm'

/** The last day, `YYYY-MM-DD`, as the text names it. */
export function toEndDate(endMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(endMs).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** When a consent ends: 90 days after its signing, and not later than the date that was signed. */
export function toEndMs(signedAtMs: number, endDate: string): number {
  return Math.min(
    signedAtMs + lifetimeMs,
    Temporal.PlainDate.from(endDate).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds,
  )
}
