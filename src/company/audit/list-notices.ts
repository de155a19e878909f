import type { Context } from '../../context.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import type { AuditEvent } from './audit-event.ts'
import { toAuditEvent } from './list-audit-events.ts'
import { selectNotices } from './queries.ts'

/** How long an event is a notice unless its owner dismisses it, in milliseconds. */
export const noticesKeptMs = 14 * 24 * 60 * 60_000

/** Notices of one company at a time, the oldest first: once they are dismissed the next ones come, so that none is passed over. */
export const companyNoticesMax = 5

/** Notices of all of a person's companies at a time. */
export const noticesMax = 50

export type Notice = AuditEvent & { companyId: string }

/**
 * What was done in the companies that a person owns and gives others access, or may be a sign of it: their own acts too, since
 * someone else may have done them in their name. What they have dismissed is left out.
 */
export async function listNotices(
  context: Pick<Context, 'pool' | 'clock'>,
  memberId: string,
): Promise<Notice[]> {
  const rows = await selectNotices.rows(context.pool, {
    memberId,
    since: lowestUuidv7(context.clock.now() - noticesKeptMs),
    limit: companyNoticesMax,
    noticesMax,
  })
  return rows.map((row) => ({ ...toAuditEvent(row), companyId: row.company_id }))
}
