import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { expiresSoonDays, type Connection } from './connection.ts'

function companyName(company: { companyId: string; orgnr: string; name: string }) {
  return {
    company_id: company.companyId,
    orgnr: formatOrgnr(company.orgnr),
    name: company.name,
  }
}

/** A connection as the console API and the commands show it. Contains no secret. */
export function connectionAnswer(connection: Connection) {
  return {
    connection_id: connection.connectionId,
    company: companyName(connection.company),
    name: connection.name,
    state: connection.state,
    kind: connection.kind,
    credential_kind: connection.credentialKind,
    permissions: connection.permissions,
    source: connection.source && { source_id: connection.source.sourceId, name: connection.source.name },
    further_companies: connection.furtherCompanies.map(companyName),
    client_id: connection.clientId,
    created_by: connection.createdBy && {
      member_id: connection.createdBy.memberId,
      name: connection.createdBy.name,
      is_member: connection.createdBy.isMember,
    },
    created_at: connection.createdAt.toISOString(),
    signature_id: connection.signatureId,
    signed_at: connection.signedAt?.toISOString() ?? null,
    signed_with: connection.signedWith,
    expires_at: connection.expiresAt?.toISOString() ?? null,
    expires_in_days: connection.expiresInDays,
    expires_soon: connection.expiresInDays !== null && connection.expiresInDays <= expiresSoonDays,
    revoked_at: connection.revokedAt?.toISOString() ?? null,
    revoked_by: connection.revokedBy && {
      member_id: connection.revokedBy.memberId,
      name: connection.revokedBy.name,
    },
    last_used_at: connection.lastUsedAt?.toISOString() ?? null,
    credentials: connection.credentials.map(({ lastFour, createdAt, endsAt }) => ({
      last_four: lastFour,
      created_at: createdAt.toISOString(),
      ends_at: endsAt?.toISOString() ?? null,
    })),
    previous_credential_ends_at: connection.previousEndsAt?.toISOString() ?? null,
  }
}
