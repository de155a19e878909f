import { defineStatement } from '../database/define-statement.ts'

export const insertSession = defineStatement<
  never,
  [sessionHash: Buffer, memberId: string, createdAt: Date, expiresAt: Date]
>(
  'sessions.insert_session',
  `insert into sessions (session_hash, member_id, created_at, expires_at)
   values ($1::bytea, $2::uuid, $3::timestamptz, $4::timestamptz)`,
)

export const selectSession = defineStatement<
  { member_id: string; name: string | null; expires_at: Date },
  [sessionHash: Buffer, at: Date]
>(
  'sessions.select_session',
  `select s.member_id, m.name, s.expires_at
   from sessions s join members m using (member_id)
   where s.session_hash = $1::bytea and s.expires_at > $2::timestamptz`,
)

export const deleteSession = defineStatement<never, [sessionHash: Buffer]>(
  'sessions.delete_session',
  `delete from sessions where session_hash = $1::bytea`,
)

export const deleteExpiredSessions = defineStatement<never, [at: Date, rowsMax: number]>(
  'sessions.delete_expired_sessions',
  `delete from sessions
   where session_hash in (
     select session_hash from sessions where expires_at <= $1::timestamptz limit $2::integer for update skip locked
   )`,
)
