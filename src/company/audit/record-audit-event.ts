import { actorMemberId } from '../../people/members/actor.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { lowestUuidv7, uuidv7 } from '../../formats/values/uuidv7.ts'
import type { NewAuditEvent } from './audit-event.ts'
import { recordAuditEntry } from './queries.ts'

/** The same act within this time, in milliseconds, is counted in the existing entry. */
export const repeatedActMs = 60 * 60_000

/**
 * Records an act in the transaction that performs it, so that a rolled-back act leaves no entry. The same act by the same
 * member with the same details is one entry with a count for as long as it is repeated (`repeatedActMs`): no one can bury
 * an entry under a thousand others by doing and undoing one thing.
 */
export async function recordAuditEvent(on: Queryable, event: NewAuditEvent): Promise<void> {
  const { companyId, actor, action, subject, details = {}, atMs } = event
  await recordAuditEntry.run(on, {
    companyId,
    eventId: uuidv7(atMs),
    repeatedFrom: lowestUuidv7(atMs - repeatedActMs),
    repeatedUntil: lowestUuidv7(atMs + 1),
    at: new Date(atMs),
    memberId: actorMemberId(actor),
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name,
    details: JSON.stringify(details),
  })
}
