import type { Actor } from '../../people/members/actor.ts'

/** What an event is about. */
export const auditSubjectKinds = ['company', 'source', 'connection', 'member', 'invitation'] as const
export type AuditSubjectKind = (typeof auditSubjectKinds)[number]

/** What is recorded in a company's audit log. */
export const auditActions = [
  'company_created',
  'company_changed',
  'company_exported',
  'company_deletion_requested',
  'company_deletion_scheduled',
  'company_deletion_withdrawn',
  'source_created',
  'source_changed',
  'source_version_saved',
  'source_paused',
  'source_resumed',
  'source_rebuilt',
  'source_secret_rotated',
  'source_secret_ended',
  'connection_created',
  'connection_signed',
  'connection_rotated',
  'connection_revoked',
  'connection_released',
  'link_created',
  'link_ended',
  'member_invited',
  'member_joined',
  'member_role_changed',
  'member_removed',
  'member_left',
  'invitation_created',
  'invitation_withdrawn',
  'signed_in',
  'signed_out',
  'session_ended',
  'signed_out_everywhere',
  'note_added',
  'note_changed',
  'note_removed',
  'targets_saved',
  'label_names_saved',
  'app_ended',
  'report_downloaded',
  'view_saved',
  'view_changed',
  'view_deleted',
  'evidence_downloaded',
  'audit_downloaded',
  'limits_changed',
  'act_refused',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Details of an action, such as the role that was given. Never a secret or a personal number. */
export type AuditDetails = Record<string, string | number | boolean | null>

interface AuditSubject {
  kind: AuditSubjectKind
  id: string
  /** The name that the company uses now; for a member who has not opened it yet, their label. */
  name: string | null
}

/** An act to be recorded. */
export interface NewAuditEvent {
  companyId: string
  actor: Actor
  action: AuditAction
  subject: AuditSubject
  details?: AuditDetails
  atMs: number
  /** Acts that were gathered before they are recorded: how many, and when the first was. */
  gathered?: { count: number; firstAtMs: number }
}

/** A recorded act. */
export interface AuditEvent {
  /** Changes each time the act is repeated. */
  eventId: string
  at: Date
  /** Number of repetitions, each within an hour of the one before. */
  count: number
  /** Equals `at` if it was done once. */
  lastAt: Date
  /** Null for the operator. `isMember` is about now. */
  member: { memberId: string; name: string | null; isMember: boolean } | null
  action: AuditAction
  subject: AuditSubject
  details: AuditDetails
}
