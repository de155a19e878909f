import { defineStatement } from '../../platform/database/define-statement.ts'
import { deleteSomeRows } from '../../platform/database/expired-rows.ts'

export interface DeletionRow {
  deletion_id: string
  first_signed_by: string
  first_signed_by_name: string | null
  requested_at: Date
  scheduled_at: Date | null
  deletes_at: Date | null
}

/** No row for a request that is void: without a second signature since an instant. */
export const selectDeletion = defineStatement<DeletionRow, { companyId: string; since: Date }>(
  'deletions.select',
  `select company_deletions.deletion_id, company_deletions.first_signed_by, members.name as first_signed_by_name,
     company_deletions.requested_at, company_deletions.scheduled_at, company_deletions.deletes_at
   from company_deletions left join members on members.member_id = company_deletions.first_signed_by
   where company_deletions.company_id = $companyId::uuid
     and (company_deletions.scheduled_at is not null or company_deletions.requested_at > $since::timestamptz)`,
)

/** Takes the place of one that is void. To be called with the company locked, where there is no other. */
export const upsertRequest = defineStatement<
  never,
  { companyId: string; deletionId: string; signedBy: string; signatureId: string; at: Date }
>(
  'deletions.upsert-request',
  `insert into company_deletions (company_id, deletion_id, first_signed_by, first_signature_id, requested_at)
   values ($companyId::uuid, $deletionId::uuid, $signedBy::uuid, $signatureId::uuid, $at::timestamptz)
   on conflict (company_id) do update set deletion_id = excluded.deletion_id, first_signed_by = excluded.first_signed_by,
     first_signature_id = excluded.first_signature_id, requested_at = excluded.requested_at
   where company_deletions.scheduled_at is null`,
)

export const markScheduled = defineStatement<
  never,
  { companyId: string; signatureId: string | null; at: Date; deletesAt: Date }
>(
  'deletions.mark-scheduled',
  `update company_deletions
   set second_signature_id = $signatureId::uuid, scheduled_at = $at::timestamptz, deletes_at = $deletesAt::timestamptz
   where company_id = $companyId::uuid and scheduled_at is null`,
)

/** No row if there is none, or its company is being deleted. */
export const deleteDeletion = defineStatement<{ scheduled_at: Date | null }, { companyId: string }>(
  'deletions.delete',
  `delete from company_deletions where company_id = $companyId::uuid and begun_at is null returning scheduled_at`,
)

export const countOwners = defineStatement<{ owners: number }, { companyId: string }>(
  'deletions.count-owners',
  `select count(*)::integer as owners from memberships where company_id = $companyId::uuid and role = 'owner'`,
)

/** Companies that one sweep deletes; the others are next. */
const dueMax = 100

/** The companies whose time is over at an instant, and that are not moving to another shard. */
export const selectDue = defineStatement<{ company_id: string; begun: boolean }, { at: Date }>(
  'deletions.select-due',
  `select company_deletions.company_id, company_deletions.begun_at is not null as begun
   from company_deletions
   where company_deletions.deleted_at is null and company_deletions.deletes_at <= $at::timestamptz
     and not exists (select from company_moves where company_moves.company_id = company_deletions.company_id)
   order by company_deletions.deletes_at
   limit ${dueMax}`,
)

/** No row if it was withdrawn. */
export const markBegun = defineStatement<{ company_id: string }, { companyId: string; at: Date }>(
  'deletions.mark-begun',
  `update company_deletions set begun_at = coalesce(begun_at, $at::timestamptz)
   where company_id = $companyId::uuid and deletes_at is not null
   returning company_id`,
)

export const markDeleted = defineStatement<never, { companyId: string; at: Date }>(
  'deletions.mark-deleted',
  `update company_deletions set deleted_at = $at::timestamptz where company_id = $companyId::uuid`,
)

/** Requests that are void, and were so at an instant. */
export const deleteVoidRequests = defineStatement<never, { requestedBefore: Date; rowsMax: number }>(
  'deletions.delete-void-requests',
  deleteSomeRows(
    'company_deletions',
    'company_id',
    'deleted_at is null and deletes_at is null and requested_at <= $requestedBefore::timestamptz',
  ),
)

/** Deletions whose companies have been gone for a while. */
export const selectOldRecords = defineStatement<{ company_id: string }, { deletedBefore: Date }>(
  'deletions.select-old-records',
  `select company_id from company_deletions where deleted_at <= $deletedBefore::timestamptz
   order by deleted_at
   limit ${dueMax}`,
)

export const deleteRecord = defineStatement<never, { companyId: string }>(
  'deletions.delete-record',
  `delete from company_deletions where company_id = $companyId::uuid`,
)

const ofCompany = 'company_id = $companyId::uuid'
const ofConnections = `connection_id in (
      select connections.connection_id from connections where connections.${ofCompany}
    )`

function defineParts(parts: readonly [table: string, key: string, condition: string][]) {
  return parts.map(([table, key, condition], index) =>
    defineStatement<never, { companyId: string; rowsMax: number }>(
      `deletions.delete-${table.replaceAll('_', '-')}-${index}`,
      deleteSomeRows(table, key, condition),
    ),
  )
}

/**
 * Delete at most `$rowsMax` rows each of what gives access to a company, and of what its members signed for it but for its
 * deletion: rows before those that they refer to.
 */
export const deleteAccess = defineParts([
  ['tokens', 'token_hash', ofConnections],
  ['credentials', 'credential_hash', ofConnections],
  ['connection_uses', 'company_id, connection_id', ofCompany],
  ['connection_companies', 'connection_id, company_id', ofConnections],
  ['connection_companies', 'connection_id, company_id', ofCompany],
  ['connections', 'company_id, connection_id', ofCompany],
  ['invitations', 'company_id, invitation_id', ofCompany],
  ['saved_views', 'company_id, view_id', ofCompany],
  ['links', 'company_id, link_id', ofCompany],
  ['link_uses', 'company_id, link_id', ofCompany],
  ['attention_marks', 'company_id, item', ofCompany],
  [
    'signatures',
    'signature_id',
    `${ofCompany} and not exists (
      select from company_deletions
      where company_deletions.${ofCompany}
        and signatures.signature_id in (company_deletions.first_signature_id, company_deletions.second_signature_id)
    )`,
  ],
])

/** The same of what is left in the shared schemas once no one has access and the shard is empty. */
export const deleteRest = defineParts([
  ['app_connection_companies', 'connection_id, company_id', ofCompany],
  ['source_names', 'source_id', ofCompany],
  ['audit_events', 'company_id, event_id', ofCompany],
  ['company_limits', 'company_id', ofCompany],
])

/** The signatures of a deletion, once its record is no longer kept. */
export const deleteSignatures = defineStatement<never, { companyId: string; rowsMax: number }>(
  'deletions.delete-signatures',
  deleteSomeRows('signatures', 'signature_id', ofCompany),
)

export const selectMembers = defineStatement<{ member_id: string }, { companyId: string }>(
  'deletions.select-members',
  `select member_id from memberships where company_id = $companyId::uuid order by member_id limit ${dueMax}`,
)

export const selectSigners = defineStatement<{ member_id: string }, { companyId: string }>(
  'deletions.select-signers',
  `select distinct member_id from signatures where company_id = $companyId::uuid limit ${dueMax}`,
)

const ofMember = 'member_id = $memberId::uuid'
const ofOwnConnections = `connection_id in (
      select app_connections.connection_id from app_connections where app_connections.${ofMember}
    )`

/** Deletes at most `$rowsMax` records of the calls that a member's apps made about a company. */
export const deleteCallsAbout = defineStatement<
  never,
  { memberId: string; companyId: string; rowsMax: number }
>(
  'deletions.delete-calls-about',
  deleteSomeRows('app_calls', 'connection_id, call_id', `${ofOwnConnections} and ${ofCompany}`),
)

/** Delete what an erased person has signed for themselves; its texts and evidence name them. */
export const deleteOwnSignatures = [
  defineStatement<never, { memberId: string; rowsMax: number }>(
    'deletions.delete-consents-of',
    deleteSomeRows(
      'consents',
      'consent_id',
      `signature_id in (select signatures.signature_id from signatures where signatures.${ofMember})`,
    ),
  ),
  defineStatement<never, { memberId: string; rowsMax: number }>(
    'deletions.delete-signatures-of',
    deleteSomeRows('signatures', 'signature_id', ofMember),
  ),
]

/** What an erased person allowed apps. */
export const endAppConnections = defineStatement<never, { memberId: string; at: Date }>(
  'deletions.end-app-connections',
  `update app_connections set ended_at = $at::timestamptz, ended_by = 'operator'
   where member_id = $memberId::uuid and ended_at is null`,
)
