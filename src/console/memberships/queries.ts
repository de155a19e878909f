import { defineStatement } from '../../platform/database/define-statement.ts'
import { highestUuid } from '../../formats/values/uuidv7.ts'
import type { Role } from '../../people/access/role.ts'
import type { Member } from './member.ts'

/** Signed connections of one member that are counted; further ones are not. */
const countedConnectionsMax = 1_000

/* Until they have opened the company, it shows neither their name nor whether the service knows them. */
const memberColumns = `memberships.member_id, case when memberships.opened then members.name end as name,
     case when not memberships.opened then memberships.label end as label, memberships.role,
     memberships.added_by, memberships.added_at,
     case when memberships.opened and members.last_sign_in_at >= memberships.added_at
       then members.last_sign_in_at end as last_sign_in_at,
     (
       select count(*)::integer
       from (
         select from connections
         where connections.company_id = memberships.company_id and connections.created_by = memberships.member_id
           and connections.signed_at is not null and connections.revoked_at is null
           and connections.expires_at > $at::timestamptz
         limit ${countedConnectionsMax}
       ) as counted
     ) as signed_connections`

/** No row if they are already a member. */
export const insertMembership = defineStatement<
  { member_id: string },
  {
    companyId: string
    memberId: string
    role: Role
    label: string | null
    addedBy: string | null
    /** Whether they became a member by their own act. */
    opened: boolean
    at: Date
  }
>(
  'memberships.insert',
  `insert into memberships (company_id, member_id, role, label, added_by, opened, added_at)
   values ($companyId::uuid, $memberId::uuid, $role::text, $label::text, $addedBy::uuid, $opened::boolean,
     $at::timestamptz)
   on conflict (company_id, member_id) do nothing
   returning member_id`,
)

export const selectMembership = defineStatement<Member, { companyId: string; memberId: string; at: Date }>(
  'memberships.select',
  `select ${memberColumns}
   from memberships join members using (member_id)
   where memberships.company_id = $companyId::uuid and memberships.member_id = $memberId::uuid`,
)

export const selectMemberships = defineStatement<
  Member,
  { companyId: string; after: string | null; limit: number; at: Date }
>(
  'memberships.select-all',
  `select ${memberColumns}
   from memberships join members using (member_id)
   where memberships.company_id = $companyId::uuid
     and (
       $after::uuid is null
       or (memberships.added_at, memberships.member_id) > (
         select last.added_at, last.member_id
         from memberships last
         where last.company_id = $companyId::uuid and last.member_id = $after::uuid
       )
     )
   order by memberships.added_at, memberships.member_id
   limit $limit::integer`,
)

export const selectIsLastOwner = defineStatement<{ last: boolean }, { companyId: string; memberId: string }>(
  'memberships.select-is-last-owner',
  `select coalesce(bool_or(member_id = $memberId::uuid) and not bool_or(member_id <> $memberId::uuid), false) as last
   from memberships
   where company_id = $companyId::uuid and role = 'owner'`,
)

export const selectRole = defineStatement<{ role: Role }, { companyId: string; memberId: string }>(
  'memberships.select-role',
  `select role from memberships where company_id = $companyId::uuid and member_id = $memberId::uuid`,
)

export const selectIsAuditEvent = defineStatement<{ found: boolean }, { companyId: string; eventId: string }>(
  'memberships.select-is-audit-event',
  `select exists (
     select from audit_events
     where audit_events.company_id = $companyId::uuid and audit_events.event_id = $eventId::uuid
   ) as found`,
)

/** Only forwards. No row if they do not own the company. */
export const updateDismissedNotices = defineStatement<
  { member_id: string },
  { companyId: string; memberId: string; through: string }
>(
  'memberships.update-dismissed-notices',
  `update memberships
   set notices_dismissed_through = greatest(memberships.notices_dismissed_through, $through::uuid)
   where memberships.company_id = $companyId::uuid and memberships.member_id = $memberId::uuid
     and memberships.role = 'owner'
   returning memberships.member_id`,
)

export interface InvitationRow {
  invitation_id: string
  role: Role
  label: string | null
  created_by: string
  created_by_name: string | null
  created_at: Date
  expires_at: Date
}

export const insertInvitation = defineStatement<
  never,
  {
    companyId: string
    invitationId: string
    tokenHash: Buffer
    role: Role
    label: string | null
    createdBy: string
    at: Date
    expiresAt: Date
  }
>(
  'memberships.insert-invitation',
  `insert into invitations
     (company_id, invitation_id, token_hash, role, label, created_by, created_at, expires_at)
   values ($companyId::uuid, $invitationId::uuid, $tokenHash::bytea, $role::text, $label::text, $createdBy::uuid,
     $at::timestamptz, $expiresAt::timestamptz)`,
)

/** Open links, at most `$max` counted. */
export const countOpenInvitations = defineStatement<
  { open: number },
  { companyId: string; at: Date; max: number }
>(
  'memberships.count-open-invitations',
  `select count(*)::integer as open
   from (
     select from invitations
     where company_id = $companyId::uuid and used_at is null and expires_at > $at::timestamptz
     limit $max::integer
   ) as counted`,
)

const invitationColumns = `invitations.invitation_id, invitations.role, invitations.label, invitations.created_by,
     maker.name as created_by_name, invitations.created_at, invitations.expires_at`

export const selectInvitation = defineStatement<InvitationRow, { companyId: string; invitationId: string }>(
  'memberships.select-invitation',
  `select ${invitationColumns}
   from invitations join members maker on maker.member_id = invitations.created_by
   where invitations.company_id = $companyId::uuid and invitations.invitation_id = $invitationId::uuid`,
)

/** Open links, newest first: version 7 ids grow with time. */
export const selectOpenInvitations = defineStatement<
  InvitationRow,
  { companyId: string; before: string | null; limit: number; at: Date }
>(
  'memberships.select-open-invitations',
  `select ${invitationColumns}
   from invitations join members maker on maker.member_id = invitations.created_by
   where invitations.company_id = $companyId::uuid and invitations.used_at is null
     and invitations.expires_at > $at::timestamptz
     and invitations.invitation_id < coalesce($before::uuid, '${highestUuid}'::uuid)
   order by invitations.invitation_id desc
   limit $limit::integer`,
)

/** The invitation of an open link, or of one that `$memberId` used. */
export const selectInvitationByToken = defineStatement<
  InvitationRow & { company_id: string; orgnr: string; company_name: string; used: boolean },
  { tokenHash: Buffer; memberId: string; at: Date }
>(
  'memberships.select-invitation-by-token',
  `select ${invitationColumns}, invitations.company_id, companies.orgnr, companies.name as company_name,
     invitations.used_at is not null as used
   from invitations
     join members maker on maker.member_id = invitations.created_by
     join companies on companies.company_id = invitations.company_id
   where invitations.token_hash = $tokenHash::bytea
     and (
       invitations.used_by = $memberId::uuid
       or (invitations.used_at is null and invitations.expires_at > $at::timestamptz)
     )`,
)

/** To be called for one that was found unused since the company was locked, so that only one person uses it. */
export const markInvitationUsed = defineStatement<never, { tokenHash: Buffer; memberId: string; at: Date }>(
  'memberships.mark-invitation-used',
  `update invitations set used_at = $at::timestamptz, used_by = $memberId::uuid
   where token_hash = $tokenHash::bytea`,
)

/** No row if there is no such open link. */
export const deleteOpenInvitation = defineStatement<
  { label: string | null; role: Role },
  { companyId: string; invitationId: string; at: Date }
>(
  'memberships.delete-open-invitation',
  `delete from invitations
   where company_id = $companyId::uuid and invitation_id = $invitationId::uuid and used_at is null
     and expires_at > $at::timestamptz
   returning label, role`,
)

/** The unused links of a member who is no longer an owner. */
export const deleteMemberInvitations = defineStatement<never, { companyId: string; memberId: string }>(
  'memberships.delete-invitations-of',
  `delete from invitations
   where company_id = $companyId::uuid and created_by = $memberId::uuid and used_at is null`,
)
