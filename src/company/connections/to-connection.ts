import type { Connection, ConnectionState } from './connection.ts'
import type { ConnectionRow } from './queries.ts'

function stateAt(
  row: Pick<ConnectionRow, 'revoked_at' | 'signed_at' | 'expires_at'>,
  nowMs: number,
): ConnectionState {
  if (row.revoked_at !== null) return 'revoked'
  if (row.signed_at === null) return 'unsigned'
  return row.expires_at !== null && row.expires_at.getTime() <= nowMs ? 'expired' : 'signed'
}

/** Calendar days from an instant to the end, in the time zone of the connection's company. */
function daysUntil(end: Date, nowMs: number, timeZone: string): number {
  const toDay = (ms: number): Temporal.PlainDate =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate()
  return toDay(nowMs).until(toDay(end.getTime()), { largestUnit: 'days' }).days
}

/** A connection with its state at an instant, milliseconds since 1970. */
export function toConnection(row: ConnectionRow, nowMs: number): Connection {
  const state = stateAt(row, nowMs)
  return {
    connectionId: row.connection_id,
    company: { companyId: row.company_id, orgnr: row.company_orgnr, name: row.company_name },
    name: row.name,
    state,
    kind: row.kind,
    credentialKind: row.credential_kind,
    permissions: row.permissions,
    source: row.source_id === null ? null : { sourceId: row.source_id, name: row.source_name! },
    furtherCompanies: row.further_companies.map((company) => ({
      companyId: company.company_id,
      orgnr: company.orgnr,
      name: company.name,
    })),
    clientId: row.client_id,
    createdBy:
      row.created_by === null
        ? null
        : { memberId: row.created_by, name: row.created_by_name, isMember: row.maker_is_member },
    createdAt: row.created_at,
    signatureId: row.signature_id,
    signedAt: row.signed_at,
    signedWith: row.provider,
    expiresAt: row.expires_at,
    expiresInDays:
      state === 'signed' && row.expires_at !== null
        ? daysUntil(row.expires_at, nowMs, row.home_time_zone)
        : null,
    revokedAt: row.revoked_at,
    revokedBy: row.revoked_by === null ? null : { memberId: row.revoked_by, name: row.revoked_by_name },
    lastUsedAt: row.last_used_at,
    credentials: row.credentials.map((credential) => ({
      lastFour: credential.last_four,
      createdAt: new Date(credential.created_at),
      endsAt: credential.ends_at === null ? null : new Date(credential.ends_at),
    })),
    previousEndsAt: row.previous_ends_at,
  }
}
