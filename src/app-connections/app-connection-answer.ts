import { formatOrgnr } from '../values/orgnr.ts'
import type { AppConnection, CompanyName } from './app-connection.ts'

export function companyNameAnswer(company: CompanyName) {
  return {
    company_id: company.companyId,
    orgnr: formatOrgnr(company.orgnr),
    name: company.name,
  }
}

/** What a member allows an app, as the pages' API and the commands say it. */
export function appConnectionAnswer(connection: AppConnection) {
  return {
    connection_id: connection.connectionId,
    client_id: connection.clientId,
    client_name: connection.clientName,
    redirect_host: connection.redirectHost,
    state: connection.state,
    permissions: connection.permissions,
    companies: {
      every: connection.companies.every,
      chosen: connection.companies.chosen.map(companyNameAnswer),
    },
    resources: connection.resources,
    consented_at: connection.consentedAt.toISOString(),
    expires_at: connection.expiresAt.toISOString(),
    ended_at: connection.endedAt?.toISOString() ?? null,
    ended_by: connection.endedBy,
    last_called_at: connection.lastCalledAt?.toISOString() ?? null,
  }
}
