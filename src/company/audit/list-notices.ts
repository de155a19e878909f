import type { DirectoryContext } from '../../context.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import type { AuditEvent } from './audit-event.ts'
import { toAuditEvent } from './list-audit-events.ts'
import { selectNotices } from './queries.ts'

/** How long an event is shown as a notice if it is not dismissed, in milliseconds. */
const noticesKeptMs = 14 * 24 * 60 * 60_000

/** Notices of one company shown at a time, oldest first: dismissing them reveals the next, so none is missed. */
const companyNoticesMax = 5

/** The same for all companies of a person together. */
const noticesMax = 50

export type Notice = AuditEvent & { companyId: string }

/**
 * Events in the companies that a person owns that give others access, or may be a sign of it. Their own acts are included,
 * since another person may have acted in their name. Dismissed ones are left out.
 */
export async function listNotices(
  context: Pick<DirectoryContext, 'pool' | 'clock'>,
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
