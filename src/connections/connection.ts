import type { ConnectionRow } from './queries.ts'

/** Specification, "Permissions of a service connection". */
export const servicePermissions = ['sources.ingest', 'metrics.read'] as const
export type ServicePermission = (typeof servicePermissions)[number]

/** `demo` is made by the deployment itself, never on a company's pages. */
export type ConnectionKind = 'production' | 'sandbox' | 'demo'
export type CredentialKind = 'client' | 'static'

export const connectionStates = ['made', 'signed', 'expired', 'revoked'] as const
export type ConnectionState = (typeof connectionStates)[number]

export interface Connection {
  connectionId: string
  companyId: string
  name: string
  state: ConnectionState
  kind: ConnectionKind
  credentialKind: CredentialKind
  permissions: ServicePermission[]
  /** Null: bound to no source, so that each call names one. */
  source: { sourceId: string; name: string } | null
  furtherCompanies: { companyId: string; orgnr: string; name: string }[]
  /** Null with a static credential. */
  clientId: string | null
  /** Null for the demo connection. A connection outlives its maker's membership (reading `conn.end`). */
  madeBy: { memberId: string; name: string | null; isMember: boolean } | null
  madeAt: Date
  signatureId: string | null
  signedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** After a rotation: until when the credential before the current one works; null where none does. */
  previousEndsAt: Date | null
}

export const connectionStateAt = (
  row: Pick<ConnectionRow, 'revoked_at' | 'signed_at' | 'expires_at'>,
  nowMs: number,
): ConnectionState => {
  if (row.revoked_at !== null) return 'revoked'
  if (row.signed_at === null) return 'made'
  return row.expires_at !== null && row.expires_at.getTime() <= nowMs ? 'expired' : 'signed'
}

export const toConnection = (row: ConnectionRow, nowMs: number): Connection => ({
  connectionId: row.connection_id,
  companyId: row.company_id,
  name: row.name,
  state: connectionStateAt(row, nowMs),
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
  madeBy:
    row.made_by === null
      ? null
      : { memberId: row.made_by, name: row.made_by_name, isMember: row.maker_is_member },
  madeAt: row.made_at,
  signatureId: row.signature_id,
  signedAt: row.signed_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  previousEndsAt: row.previous_ends_at,
})
