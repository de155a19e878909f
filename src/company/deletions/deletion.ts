import { dayBefore } from '../../people/companies/day-before.ts'
import type { DeletionRow } from './queries.ts'

/** Days from the second signature in which any owner can withdraw. */
export const graceDays = 30

/** How long the second signature may come after the first, and the first after an export of the company. Milliseconds. */
export const requestLifetimeMs = 30 * 24 * 60 * 60_000

/** How long it is kept who signed the deletion of a company that is gone, in milliseconds: as long as any other audit event. */
export const recordKeptMs = 400 * 24 * 60 * 60_000

export interface Deletion {
  /** `requested`: by one owner. `scheduled`: nothing is delivered or changed. */
  state: 'requested' | 'scheduled'
  requestedAt: Date
  requestedBy: { memberId: string; name: string | null }
  /** When a request without a second signature is void; null once it is scheduled. */
  voidAt: Date | null
  /** The last day on which it can be withdrawn; null until it is scheduled. */
  deletesAfter: string | null
}

export function toDeletion(row: DeletionRow, timeZone: string): Deletion {
  const isScheduled = row.deletes_at !== null
  return {
    state: isScheduled ? 'scheduled' : 'requested',
    requestedAt: row.requested_at,
    requestedBy: { memberId: row.first_signed_by, name: row.first_signed_by_name },
    voidAt: isScheduled ? null : new Date(row.requested_at.getTime() + requestLifetimeMs),
    deletesAfter: row.deletes_at && dayBefore(row.deletes_at, timeZone),
  }
}

/** The end of the last day of the grace period by the company's calendar, in milliseconds since 1970. */
export function graceEndMs(scheduledAtMs: number, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(scheduledAtMs)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .add({ days: graceDays + 1 })
    .toZonedDateTime(timeZone).epochMilliseconds
}
