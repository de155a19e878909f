/** Specification, "Permissions of a service connection". */
export const servicePermissions = ['sources.ingest', 'metrics.read'] as const
export type ServicePermission = (typeof servicePermissions)[number]

/** `demo` is created by the deployment itself, never on a company's pages. */
export type ConnectionKind = 'production' | 'sandbox' | 'demo'
export type CredentialKind = 'client' | 'static'

export const connectionStates = ['unsigned', 'signed', 'expired', 'revoked'] as const
export type ConnectionState = (typeof connectionStates)[number]

/** Opens the connection, or will once it is signed. */
interface Credential {
  /** Null if it was created before this was stored. */
  lastFour: string | null
  createdAt: Date
  /** When it ends after a rotation; null for the current one. */
  endsAt: Date | null
}

/** Days before the end of a connection from which it counts as expiring soon. */
export const expiresSoonDays = 30

export interface Connection {
  connectionId: string
  /** The company that owns it. */
  company: { companyId: string; orgnr: string; name: string }
  name: string
  state: ConnectionState
  kind: ConnectionKind
  credentialKind: CredentialKind
  permissions: ServicePermission[]
  /** Null if it is bound to no source: then each call names one. */
  source: { sourceId: string; name: string } | null
  /** Further companies that it acts on now. Owners of one of them see only that one. */
  furtherCompanies: { companyId: string; orgnr: string; name: string }[]
  /** Null with a static credential, and for owners of a further company. */
  clientId: string | null
  /**
   * Null for the demo connection. A connection outlives its creator's membership [conn.end]; `isMember` refers to the
   * company of the reader.
   */
  createdBy: { memberId: string; name: string | null; isMember: boolean } | null
  createdAt: Date
  /** Null for owners of a further company: the signed text names the other companies too. */
  signatureId: string | null
  signedAt: Date | null
  /** The electronic identity that it was signed with; null to owners of a further company. */
  signedWith: string | null
  expiresAt: Date | null
  /** Days until it expires, by the calendar of its own company; null if it is not signed, or has ended. */
  expiresInDays: number | null
  revokedAt: Date | null
  /** Null if the operator revoked it, and for owners of a further company. */
  revokedBy: { memberId: string; name: string | null } | null
  /** To the minute; null if it was never used, and for owners of a further company. */
  lastUsedAt: Date | null
  /** The current one and earlier ones that still work; empty for owners of a further company. */
  credentials: Credential[]
  /** When the previous credential ends after a rotation; null if none still works, and for owners of a further company. */
  previousEndsAt: Date | null
}
