import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { toPage, pageRows, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { readAuditFilter, type AuditQuery } from './audit-filter.ts'
import type { AuditEvent } from './audit-event.ts'
import { selectAuditEvents, type AuditEventRow } from './queries.ts'

export function toAuditEvent(row: AuditEventRow): AuditEvent {
  return {
    eventId: row.event_id,
    at: row.first_occurred_at ?? row.occurred_at,
    count: row.occurrences,
    lastAt: row.occurred_at,
    member:
      row.member_id === null
        ? null
        : { memberId: row.member_id, name: row.member_name, isMember: row.is_member },
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
    details: row.details,
  }
}

/**
 * The audit events of a company, for its owners: newest first, repeated ones by their last time.
 *
 * @throws 403, 404 as `requireRole`; 400 with field `cursor`, `limit`, `from` or `to`
 */
export async function listAuditEvents(
  context: Pick<DirectoryContext, 'pool'>,
  actor: Actor,
  companyId: string,
  request: PageRequest = {},
  query: AuditQuery = {},
): Promise<Page<AuditEvent>> {
  const { timeZone } = await requireRole(context.pool, actor, companyId, 'owner')
  const filter = readAuditFilter(query, timeZone)
  const { after, limit } = pageRows(request)
  const rows = await selectAuditEvents.rows(context.pool, {
    companyId,
    ...filter,
    before: after,
    limit: limit + 1,
  })
  return toPage(rows.map(toAuditEvent), limit, (event) => event.eventId, rows.at(-1)?.more)
}
