import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import type { AuditSubjectKind } from './audit-event.ts'

/** The query of the audit, as its contract validated it. */
export interface AuditQuery {
  kind?: AuditSubjectKind
  member?: string
  /** Days in the company's time zone: the first, and the one after the last. */
  from?: string
  to?: string
}

/** Which events of a company's audit are read. */
export interface AuditFilter {
  kind: AuditSubjectKind | null
  memberId: string | null
  /** Events have ids from this one on, which grow with their last times. */
  since: string
  until: string | null
}

export const wholeAudit: AuditFilter = { kind: null, memberId: null, since: lowestUuidv7(0), until: null }

/** @throws 400 with field `from` or `to` */
export function readAuditFilter({ kind, member, from, to }: AuditQuery, timeZone: string): AuditFilter {
  if (from !== undefined && to !== undefined && from >= to) {
    throw invalidArgument('from is not before to.', 'from')
  }
  const toId = (day: string): string => {
    const midnight = Temporal.PlainDate.from(day).toZonedDateTime(timeZone)
    // Ids begin with the milliseconds since 1970.
    return lowestUuidv7(Math.max(0, midnight.epochMilliseconds))
  }
  return {
    kind: kind ?? null,
    memberId: member ?? null,
    since: from === undefined ? wholeAudit.since : toId(from),
    until: to === undefined ? null : toId(to),
  }
}
