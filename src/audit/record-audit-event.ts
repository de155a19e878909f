import { actorMemberId } from '../companies/actor.ts'
import type { Queryable } from '../database/pool.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import type { NewAuditEvent } from './audit-event.ts'
import { insertAuditEvent } from './queries.ts'

/** Records what is done in a company, in the transaction that does it: what was not done is not recorded either. */
export async function recordAuditEvent(on: Queryable, event: NewAuditEvent): Promise<void> {
  const { companyId, actor, action, subject, details = {}, atMs } = event
  await insertAuditEvent.run(on, {
    companyId,
    eventId: uuidv7(atMs),
    at: new Date(atMs),
    memberId: actorMemberId(actor),
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name,
    details: JSON.stringify(details),
  })
}
