import { actorMemberId } from '../../people/members/actor.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { lowestUuidv7, uuidv7 } from '../../formats/values/uuidv7.ts'
import type { NewAuditEvent } from './audit-event.ts'
import { recordAuditEntries, selectOpenedCompanies } from './queries.ts'

/** The same act within this time, in milliseconds, is counted in the existing entry. */
export const repeatedActMs = 60 * 60_000

/**
 * Records an act in the transaction that performs it, so that a rolled-back act leaves no entry. The same act by the same
 * member with the same details is one entry with a count for as long as it is repeated (`repeatedActMs`): no one can bury
 * an entry under a thousand others by doing and undoing one thing.
 */
export async function recordAuditEvent(on: Queryable, event: NewAuditEvent): Promise<void> {
  await recordInEach(on, [event.companyId], event)
}

/**
 * Records what a person did that concerns all of their companies, such as signing in, in each company that they have opened by
 * then. To others, which may have added a number and wait, it would say that its person exists.
 *
 * @param event without browser, network or another company: each company's owners read it
 */
export async function recordPersonsEvent(
  on: Queryable,
  event: Pick<NewAuditEvent, 'action' | 'details' | 'atMs'> & { memberId: string },
): Promise<void> {
  const { memberId, ...act } = event
  const companies = await selectOpenedCompanies.rows(on, { memberId })
  if (companies.length === 0) return
  await recordInEach(
    on,
    companies.map((row) => row.company_id),
    { ...act, actor: { memberId }, subject: { kind: 'member', id: memberId, name: null } },
  )
}

async function recordInEach(
  on: Queryable,
  companyIds: readonly string[],
  event: Omit<NewAuditEvent, 'companyId'>,
): Promise<void> {
  const { actor, action, subject, details = {}, atMs, gathered } = event
  await recordAuditEntries.run(on, {
    companyIds,
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
    occurrences: gathered?.count ?? 1,
    firstAt: gathered === undefined || gathered.count === 1 ? null : new Date(gathered.firstAtMs),
  })
}
