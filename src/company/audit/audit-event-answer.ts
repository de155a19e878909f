import type { AuditEvent } from './audit-event.ts'

/** As the console API has it. */
export function auditEventAnswer(event: AuditEvent) {
  return {
    event_id: event.eventId,
    at: event.at.toISOString(),
    count: event.count,
    last_at: event.lastAt.toISOString(),
    member: event.member && {
      member_id: event.member.memberId,
      name: event.member.name,
      is_member: event.member.isMember,
    },
    action: event.action,
    subject: event.subject,
    details: event.details,
  }
}
