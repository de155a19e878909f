/** Specification, "Permissions of a service connection". */
export const servicePermissions = ['sources.ingest', 'metrics.read'] as const
export type ServicePermission = (typeof servicePermissions)[number]

/** `demo` is created by the deployment itself, never on a company's pages. */
export type ConnectionKind = 'production' | 'sandbox' | 'demo'
export type CredentialKind = 'client' | 'static'

export const connectionStates = ['unsigned', 'signed', 'expired', 'revoked'] as const
export type ConnectionState = (typeof connectionStates)[number]

/** One that opens the connection, or will once it is signed. */
export interface Credential {
  /** Null where it was created before they were stored. */
  lastFour: string | null
  createdAt: Date
  /** Set by a rotation: until when it works; null for the current one. */
  endsAt: Date | null
}

/** Days before its end from which a connection is said to end soon. */
export const expiresSoonDays = 30

export interface Connection {
  connectionId: string
  /** Whose it is. */
  company: { companyId: string; orgnr: string; name: string }
  name: string
  state: ConnectionState
  kind: ConnectionKind
  credentialKind: CredentialKind
  permissions: ServicePermission[]
  /** Null: bound to no source, so that each call names one. */
  source: { sourceId: string; name: string } | null
  /** The further companies that it acts on now. Owners of one of them see only that one. */
  furtherCompanies: { companyId: string; orgnr: string; name: string }[]
  /** Null with a static credential, and for owners of a further company. */
  clientId: string | null
  /**
   * Null for the demo connection. A connection outlives its maker's membership [conn.end]; `isMember` is about
   * the company whose members ask.
   */
  createdBy: { memberId: string; name: string | null; isMember: boolean } | null
  createdAt: Date
  /** Null for owners of a further company: what was signed names the other ones too. */
  signatureId: string | null
  signedAt: Date | null
  /** The electronic identity that it was signed with; null to owners of a further company. */
  signedWith: string | null
  expiresAt: Date | null
  /** Until its end, by the calendar of its own company; null where it is not signed, or has ended. */
  expiresInDays: number | null
  revokedAt: Date | null
  /** Null where the operator did, and to owners of a further company. */
  revokedBy: { memberId: string; name: string | null } | null
  /** To the minute; null where it was not, and to owners of a further company. */
  lastUsedAt: Date | null
  /** The current one, and before it those of rotations that still work; empty to owners of a further company. */
  credentials: Credential[]
  /**
   * After a rotation: until when the credential before the current one works; null where none does, and to owners of a
   * further company.
   */
  previousEndsAt: Date | null
}
