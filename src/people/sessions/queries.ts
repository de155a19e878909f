import { defineStatement } from '../../platform/database/define-statement.ts'
import { fromAccess } from '../../platform/database/schemas.ts'

export const insertSession = defineStatement<
  never,
  {
    sessionHash: Buffer
    sessionId: string
    memberId: string
    provider: string
    personalNumberSealed: Buffer
    logoutSidMac: Buffer | null
    logoutSubMac: Buffer | null
    browser: string | null
    system: string | null
    network: string | null
    authenticatedAt: Date | null
    createdAt: Date
    expiresAt: Date
  }
>(
  'sessions.insert',
  `insert into sessions
     (session_hash, session_id, member_id, provider, personal_number_sealed, logout_sid_mac, logout_sub_mac, browser, system,
      network, authenticated_at, created_at, last_active_at, expires_at)
   values ($sessionHash::bytea, $sessionId::uuid, $memberId::uuid, $provider::text, $personalNumberSealed::bytea,
     $logoutSidMac::bytea, $logoutSubMac::bytea, $browser::text, $system::text, $network::text,
     $authenticatedAt::timestamptz, $createdAt::timestamptz, $createdAt::timestamptz, $expiresAt::timestamptz)`,
)

export const selectSession = defineStatement<
  {
    session_id: string
    member_id: string
    name: string | null
    authenticated_at: Date | null
    last_active_at: Date
    expires_at: Date
  },
  { sessionHash: Buffer; provider: string; at: Date; activeAfter: Date }
>(
  'sessions.select',
  `select sessions.session_id, sessions.member_id, members.name, sessions.authenticated_at, sessions.last_active_at,
     sessions.expires_at
   from sessions join members using (member_id)
   where sessions.session_hash = $sessionHash::bytea and sessions.expires_at > $at::timestamptz
     and sessions.last_active_at > $activeAfter::timestamptz
     and sessions.provider = $provider::text`,
)

export const selectIsMember = defineStatement<
  { is_member: boolean },
  { memberId: string; companyId: string }
>(
  'sessions.select-is-member',
  `select exists (
     select from memberships where member_id = $memberId::uuid and company_id = $companyId::uuid
   ) as is_member`,
)

/** Of concurrent calls one writes. */
export const touchSession = defineStatement<never, { sessionHash: Buffer; at: Date; before: Date }>(
  'sessions.touch',
  `update sessions set last_active_at = $at::timestamptz
   where session_hash = $sessionHash::bytea and last_active_at <= $before::timestamptz`,
)

/** Sessions that have not ended, the last active first. */
export const selectSessionsOfMember = defineStatement<
  {
    session_id: string
    provider: string
    browser: string | null
    system: string | null
    network: string | null
    created_at: Date
    last_active_at: Date
  },
  { memberId: string; provider: string; at: Date; activeAfter: Date; limit: number }
>(
  'sessions.select-of-member',
  `select session_id, provider, browser, system, network, created_at, last_active_at
   from sessions
   where member_id = $memberId::uuid and expires_at > $at::timestamptz and last_active_at > $activeAfter::timestamptz
     and provider = $provider::text
   order by last_active_at desc
   limit $limit::integer`,
)

export const deleteSessionOfMember = defineStatement<
  { session_id: string },
  { memberId: string; sessionId: string }
>(
  'sessions.delete-of-member',
  `delete from sessions where member_id = $memberId::uuid and session_id = $sessionId::uuid returning session_id`,
)

export const deleteSessionsOfMember = defineStatement<never, { memberId: string }>(
  'sessions.delete-all-of-member',
  `delete from sessions where member_id = $memberId::uuid`,
)

export const selectSealedPersonalNumber = defineStatement<
  { personal_number_sealed: Buffer },
  { sessionHash: Buffer; memberId: string; at: Date }
>(
  'sessions.select-sealed-personal-number',
  `select personal_number_sealed
   from sessions
   where session_hash = $sessionHash::bytea and member_id = $memberId::uuid and expires_at > $at::timestamptz`,
)

export const deleteSessionsOfSid = defineStatement<{ member_id: string }, { mac: Buffer }>(
  'sessions.delete-of-sid',
  `delete from sessions where logout_sid_mac = $mac::bytea returning member_id`,
)

export const deleteSessionsOfSub = defineStatement<{ member_id: string }, { mac: Buffer }>(
  'sessions.delete-of-sub',
  `delete from sessions where logout_sub_mac = $mac::bytea returning member_id`,
)

/** Those of a person whose sign-ins the provider has not named. */
export const deleteUnnamedSessionsOfSub = defineStatement<{ member_id: string }, { mac: Buffer }>(
  'sessions.delete-unnamed-of-sub',
  `delete from sessions where logout_sub_mac = $mac::bytea and logout_sid_mac is null returning member_id`,
)

/**
 * Until the transaction ends, no sign-in adds its session (`shareLogouts`): each session is either there to be ended, or will
 * find the stored logout token.
 */
export const lockLogouts = defineStatement<never, Record<never, never>>(
  'sessions.lock-logouts',
  `select pg_advisory_xact_lock(7862693118) ${fromAccess}`,
)

/** Shared among sign-ins, but exclusive with `lockLogouts`. */
export const shareLogouts = defineStatement<never, Record<never, never>>(
  'sessions.share-logouts',
  `select pg_advisory_xact_lock_shared(7862693118) ${fromAccess}`,
)

/** Whether a stored logout token has ended a sign-in, by the same names as the three statements above end sessions. */
export const selectIsEnded = defineStatement<
  { is_ended: boolean },
  { sidMac: Buffer | null; subMac: Buffer | null; issuedAt: Date }
>(
  'sessions.select-is-ended',
  `select exists (
     select from used_logout_tokens where logout_sid_mac = $sidMac::bytea
   ) or exists (
     select from used_logout_tokens
     where logout_sub_mac = $subMac::bytea and issued_at >= $issuedAt::timestamptz
       and (logout_sid_mac is null or $sidMac::bytea is null)
   ) as is_ended`,
)

export const deleteSession = defineStatement<{ member_id: string }, { sessionHash: Buffer }>(
  'sessions.delete',
  `delete from sessions where session_hash = $sessionHash::bytea returning member_id`,
)
