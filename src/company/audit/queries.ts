import { defineStatement } from '../../platform/database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../../platform/database/within-bytes.ts'
import { highestUuid } from '../../formats/values/uuidv7.ts'
import type { AuditAction, AuditDetails, AuditSubjectKind } from './audit-event.ts'
import type { DeploymentAction } from './deployment-event.ts'

/**
 * Records an act in each of some companies, or counts it there in an existing entry of the same act between two ids, which then
 * becomes the newest. Concurrent acts may get an entry each.
 */
export const recordAuditEntries = defineStatement<
  never,
  {
    companyIds: readonly string[]
    eventId: string
    repeatedFrom: string
    repeatedUntil: string
    at: Date
    memberId: string | null
    action: AuditAction
    subjectKind: AuditSubjectKind
    subjectId: string
    subjectName: string | null
    details: string
    occurrences: number
    firstAt: Date | null
  }
>(
  'audit.record',
  `with latest as (
     select acts.company_id, (
       select event_id
       from audit_events
       where company_id = acts.company_id and subject_id = $subjectId::uuid and action = $action::text
         and event_id >= $repeatedFrom::uuid and event_id < $repeatedUntil::uuid
         and member_id is not distinct from $memberId::uuid and subject_kind = $subjectKind::text
         and subject_name is not distinct from $subjectName::text and details = $details::jsonb
       order by event_id desc
       limit 1
     ) as event_id
     from unnest($companyIds::uuid[]) as acts (company_id)
   ), repeated as (
     update audit_events
     set event_id = $eventId::uuid, occurrences = audit_events.occurrences + $occurrences::integer,
       first_occurred_at = coalesce(audit_events.first_occurred_at, audit_events.occurred_at), occurred_at = $at::timestamptz
     from latest
     where audit_events.company_id = latest.company_id and audit_events.event_id = latest.event_id
     returning audit_events.company_id
   )
   insert into audit_events
     (company_id, event_id, occurred_at, member_id, action, subject_kind, subject_id, subject_name, details, occurrences,
      first_occurred_at)
   select acts.company_id, $eventId::uuid, $at::timestamptz, $memberId::uuid, $action::text, $subjectKind::text,
     $subjectId::uuid, $subjectName::text, $details::jsonb, $occurrences::integer, $firstAt::timestamptz
   from unnest($companyIds::uuid[]) as acts (company_id)
   where not exists (select from repeated where repeated.company_id = acts.company_id)`,
)

/** As many as a person may be a member of. */
const openedCompaniesMax = 10_000

/** The companies that a person has opened: others must not learn anything about them. */
export const selectOpenedCompanies = defineStatement<{ company_id: string }, { memberId: string }>(
  'audit.select-opened-companies',
  `select company_id
   from memberships
   where member_id = $memberId::uuid and opened
   order by company_id
   limit ${openedCompaniesMax}`,
)

/** A company's name, if the person is a member and has opened it. */
export const selectOpenedCompany = defineStatement<{ name: string }, { companyId: string; memberId: string }>(
  'audit.select-opened-company',
  `select companies.name
   from memberships join companies using (company_id)
   where memberships.company_id = $companyId::uuid and memberships.member_id = $memberId::uuid and memberships.opened`,
)

export interface AuditEventRow {
  event_id: string
  occurred_at: Date
  occurrences: number
  first_occurred_at: Date | null
  member_id: string | null
  member_name: string | null
  is_member: boolean
  action: AuditAction
  subject_kind: AuditSubjectKind
  subject_id: string
  /** A member who has opened the company has their present name; anyone else, the name of that time. */
  subject_name: string | null
  details: AuditDetails
}

/** Names are those of now. */
const auditEventsOfCompany = `select audit_events.event_id, audit_events.occurred_at, audit_events.occurrences,
     audit_events.first_occurred_at, audit_events.member_id, doer.name as member_name,
     membership.member_id is not null as is_member, audit_events.action, audit_events.subject_kind,
     audit_events.subject_id, coalesce(case when subject_membership.opened then subject.name end, audit_events.subject_name) as subject_name, audit_events.details
   from audit_events
     left join members doer on doer.member_id = audit_events.member_id
     left join memberships membership on membership.company_id = $companyId::uuid
       and membership.member_id = audit_events.member_id
     left join members subject on audit_events.subject_kind = 'member' and subject.member_id = audit_events.subject_id
     left join memberships subject_membership on subject_membership.company_id = $companyId::uuid
       and subject_membership.member_id = subject.member_id
   where audit_events.company_id = $companyId::uuid
     and ($kind::text is null or audit_events.subject_kind = $kind::text)
     and ($memberId::uuid is null or audit_events.member_id = $memberId::uuid)
     and audit_events.event_id < coalesce($until::uuid, '${highestUuid}'::uuid)`

/** Which events are read; null members do not filter. Walks a company's events between two ids, by the primary key. */
type AuditFilterParameters = {
  companyId: string
  kind: AuditSubjectKind | null
  memberId: string | null
  until: string | null
  limit: number
}

/** Newest first: version 7 ids grow with time. */
export const selectAuditEvents = defineStatement<
  AuditEventRow & WithinBytes,
  AuditFilterParameters & { before: string | null; since: string }
>(
  'audit.select-all',
  withinBytes(`${auditEventsOfCompany}
     and audit_events.event_id < coalesce($before::uuid, '${highestUuid}'::uuid)
     and audit_events.event_id >= $since::uuid
   order by audit_events.event_id desc
   limit $limit::integer`),
)

/** Oldest first. */
export const selectAuditEventsAfter = defineStatement<
  AuditEventRow,
  AuditFilterParameters & { after: string }
>(
  'audit.select-after',
  `${auditEventsOfCompany}
     and audit_events.event_id > $after::uuid
   order by audit_events.event_id
   limit $limit::integer`,
)

/** The newest act of a kind about a subject, after an id. */
export const selectLastAct = defineStatement<
  { occurred_at: Date },
  { companyId: string; subjectId: string; action: AuditAction; since: string }
>(
  'audit.select-last-act',
  `select occurred_at from audit_events
   where company_id = $companyId::uuid and subject_id = $subjectId::uuid and action = $action::text
     and event_id > $since::uuid
   order by event_id desc
   limit 1`,
)

/** Acts that give others access, or may be a sign of it. The index `audit_events_for_notices` has the same condition. */
const isForNotices = `(action in ('connection_rotated', 'source_secret_rotated', 'signed_out_everywhere')
       or (action in ('member_invited', 'member_joined', 'member_role_changed', 'invitation_created')
         and details ->> 'role' = 'owner'))`

/** The same about the whole company, which `audit_events_by_subject` finds. */
const isAboutCompany = `action in ('company_exported', 'company_deletion_requested', 'company_deletion_scheduled',
       'company_deletion_withdrawn')`

const noticeColumns = `audit_events.company_id, audit_events.event_id, audit_events.occurred_at, audit_events.occurrences,
       audit_events.first_occurred_at, audit_events.member_id, audit_events.action, audit_events.subject_kind,
       audit_events.subject_id, audit_events.subject_name, audit_events.details`

/**
 * For each company that the person owns, the oldest of its notices that they have not dismissed. An act that is repeated has a
 * newer id, so it shows again. Names are those of `selectAuditEvents`.
 */
export const selectNotices = defineStatement<
  AuditEventRow & { company_id: string },
  { memberId: string; since: string; limit: number; noticesMax: number }
>(
  'audit.select-notices',
  `select event.company_id, event.event_id, event.occurred_at, event.occurrences, event.first_occurred_at, event.member_id,
     doer.name as member_name, doing.member_id is not null as is_member, event.action, event.subject_kind,
     event.subject_id, coalesce(case when subjects.opened then subject.name end, event.subject_name) as subject_name,
     event.details
   from (
     select memberships.company_id, memberships.notices_dismissed_through
     from memberships
     where memberships.member_id = $memberId::uuid and memberships.role = 'owner'
   ) as own
   cross join lateral (
     (
       select ${noticeColumns}
       from audit_events
       where audit_events.company_id = own.company_id
         and audit_events.event_id > greatest($since::uuid, own.notices_dismissed_through) and ${isForNotices}
       order by audit_events.event_id
       limit $limit::integer
     )
     union all
     (
       select ${noticeColumns}
       from audit_events
       where audit_events.company_id = own.company_id and audit_events.subject_id = own.company_id
         and audit_events.event_id > greatest($since::uuid, own.notices_dismissed_through) and ${isAboutCompany}
       order by audit_events.event_id
       limit $limit::integer
     )
     order by event_id
     limit $limit::integer
   ) as event
   left join members doer on doer.member_id = event.member_id
   left join memberships doing on doing.company_id = event.company_id and doing.member_id = event.member_id
   left join memberships subjects on event.subject_kind = 'member' and subjects.company_id = event.company_id
     and subjects.member_id = event.subject_id
   left join members subject on subject.member_id = subjects.member_id
   order by event.event_id
   limit $noticesMax::integer`,
)

/** Skips rows that another process is deleting. */
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

export const insertDeploymentEvent = defineStatement<
  never,
  { eventId: string; at: Date; action: DeploymentAction; details: string }
>(
  'audit.insert-deployment-event',
  `insert into deployment_events (event_id, occurred_at, action, details)
   values ($eventId::uuid, $at::timestamptz, $action::text, $details::jsonb)`,
)

/** Newest first. */
export const selectDeploymentEvents = defineStatement<
  { event_id: string; occurred_at: Date; action: DeploymentAction; details: AuditDetails },
  { before: string | null; limit: number }
>(
  'audit.select-deployment-events',
  `select event_id, occurred_at, action, details
   from deployment_events
   where event_id < coalesce($before::uuid, '${highestUuid}'::uuid)
   order by event_id desc
   limit $limit::integer`,
)

/** Skips rows that another process is deleting. */
export const deleteDeploymentEventsBelow = defineStatement<never, { id: string; rowsMax: number }>(
  'audit.delete-deployment-events-below',
  `delete from deployment_events
   where event_id in (
     select event_id from deployment_events
     where event_id < $id::uuid
     order by event_id
     limit $rowsMax::integer
     for update skip locked
   )`,
)
