import { defineStatement } from '../database/define-statement.ts'
import { deleteSomeRows } from '../database/expired-rows.ts'

export const insertSession = defineStatement<
  never,
  { sessionHash: Buffer; memberId: string; createdAt: Date; expiresAt: Date }
>(
  'sessions.insert',
  `insert into sessions (session_hash, member_id, created_at, expires_at)
   values ($sessionHash::bytea, $memberId::uuid, $createdAt::timestamptz, $expiresAt::timestamptz)`,
)

export const selectSession = defineStatement<
  { member_id: string; name: string | null; expires_at: Date },
  { sessionHash: Buffer; at: Date }
>(
  'sessions.select',
  `select sessions.member_id, members.name, sessions.expires_at
   from sessions join members using (member_id)
   where sessions.session_hash = $sessionHash::bytea and sessions.expires_at > $at::timestamptz`,
)

export const deleteSession = defineStatement<never, { sessionHash: Buffer }>(
  'sessions.delete',
  `delete from sessions where session_hash = $sessionHash::bytea`,
)

export const deleteSessionsEndedBy = defineStatement<never, { at: Date; rowsMax: number }>(
  'sessions.delete-ended-by',
  deleteSomeRows('sessions', 'session_hash', 'expires_at <= $at::timestamptz'),
)
