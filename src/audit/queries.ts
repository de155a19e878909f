import { defineStatement } from '../database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'
import { highestUuid } from '../values/uuidv7.ts'
import type { AuditAction, AuditDetails, AuditSubjectKind } from './audit-event.ts'

export const insertAuditEvent = defineStatement<
  never,
  {
    companyId: string
    eventId: string
    at: Date
    memberId: string | null
    action: AuditAction
    subjectKind: AuditSubjectKind
    subjectId: string
    subjectName: string | null
    details: string
  }
>(
  'audit.insert',
  `insert into audit_events
     (company_id, event_id, at, member_id, action, subject_kind, subject_id, subject_name, details)
   values ($companyId::uuid, $eventId::uuid, $at::timestamptz, $memberId::uuid, $action::text, $subjectKind::text,
     $subjectId::uuid, $subjectName::text, $details::jsonb)`,
)

export interface AuditEventRow {
  event_id: string
  at: Date
  member_id: string | null
  member_name: string | null
  is_member: boolean
  action: AuditAction
  subject_kind: AuditSubjectKind
  subject_id: string
  /** Of a member: their name now. */
  subject_name: string | null
  details: AuditDetails
}

/** Newest first: version 7 ids grow with time. */
export const selectAuditEvents = defineStatement<
  AuditEventRow & WithinBytes,
  { companyId: string; before: string | null; limit: number }
>(
  'audit.select-all',
  withinBytes(`select audit_events.event_id, audit_events.at, audit_events.member_id, doer.name as member_name,
     membership.member_id is not null as is_member, audit_events.action, audit_events.subject_kind,
     audit_events.subject_id, coalesce(audit_events.subject_name, subject.name) as subject_name, audit_events.details
   from audit_events
     left join members doer on doer.member_id = audit_events.member_id
     left join memberships membership on membership.company_id = $companyId::uuid
       and membership.member_id = audit_events.member_id
     left join members subject on audit_events.subject_kind = 'member' and subject.member_id = audit_events.subject_id
   where audit_events.company_id = $companyId::uuid
     and audit_events.event_id < coalesce($before::uuid, '${highestUuid}'::uuid)
   order by audit_events.event_id desc
   limit $limit::integer`),
)

/** What another process deletes right now is left to it. */
export const deleteAuditEventsBelow = defineStatement<never, { id: string; rowsMax: number }>(
  'audit.delete-below',
  `delete from audit_events
   where (company_id, event_id) in (
     select company_id, event_id from audit_events
     where event_id < $id::uuid
     order by event_id
     limit $rowsMax::integer
     for update skip locked
   )`,
)
