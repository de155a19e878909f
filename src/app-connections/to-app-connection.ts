import type { AppConnection, CompanyName, EndedBy } from './app-connection.ts'
import type { AppConnectionRow, CompanyNameRow } from './queries.ts'

export function toCompanyName(row: CompanyNameRow): CompanyName {
  return {
    companyId: row.company_id,
    orgnr: row.orgnr,
    name: row.name,
  }
}

/** Whether and how it has ended at an instant. One ends when its 90 days are over, whether that is recorded or not. */
function endOf(row: AppConnectionRow, nowMs: number): { endedAt: Date | null; endedBy: EndedBy | null } {
  if (row.ended_at !== null) return { endedAt: row.ended_at, endedBy: row.ended_by }
  if (row.expires_at.getTime() <= nowMs) return { endedAt: row.expires_at, endedBy: 'expiry' }
  return { endedAt: null, endedBy: null }
}

/** A connection with its state at an instant. */
export function toAppConnection(row: AppConnectionRow, nowMs: number): AppConnection {
  const end = endOf(row, nowMs)
  return {
    connectionId: row.connection_id,
    memberId: row.member_id,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectHost: row.redirect_host,
    state: end.endedAt === null ? 'active' : 'ended',
    permissions: row.permissions,
    companies: { every: row.every_company, chosen: row.chosen.map(toCompanyName) },
    resources: row.resources,
    consentedAt: row.consented_at,
    expiresAt: row.expires_at,
    ...end,
    lastCalledAt: row.last_called_at,
  }
}
