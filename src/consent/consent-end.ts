/** Of a delegated connection, from the consent, in milliseconds. Then its tokens are 401. */
export const lifetimeMs = 90 * 24 * 60 * 60_000

/** Electronic identities are Swedish, and so is their holders' calendar; a consent has no one company's time zone. */
const timeZone = 'Europe/Stockholm'

/** When a consent that is signed now would end: 90 days on. Milliseconds since 1970. */
export function consentEnd(nowMs: number): number {
  return nowMs + lifetimeMs
}

/** The last day, `YYYY-MM-DD`, as the text names it. */
export function endDateOf(endMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(endMs).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** When a consent ends: 90 days after its signing, and not later than the date that was signed. */
export function endInstantFor(signedAtMs: number, endDate: string): number {
  return Math.min(
    consentEnd(signedAtMs),
    Temporal.PlainDate.from(endDate).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds,
  )
}
