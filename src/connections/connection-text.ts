import type { Company } from '../companies/company.ts'
import { formatOrgnr } from '../values/orgnr.ts'
import type { Connection, ServicePermission } from './connection.ts'

/** What the maker of a connection signs [conn.sign]. */
export interface ConnectionTerms {
  company: Company
  connection: Connection
  /** The last day, `YYYY-MM-DD` in the company's time zone. */
  endDate: string
}

const allowed: Record<ServicePermission, string> = {
  'sources.ingest': 'send deliveries to the source (sources.ingest)',
  'metrics.read': 'read the samples of the source (metrics.read)',
}

function named({ name, orgnr }: { name: string; orgnr: string }): string {
  return `${name} (${formatOrgnr(orgnr)})`
}

/** What the person reads before signing: company, source, permissions, kind and end date. */
export function connectionText({ company, connection, endDate }: ConnectionTerms): string {
  const { source, furtherCompanies, permissions, kind } = connection
  return [
    'I sign this service connection of Numera.',
    '',
    `Connection: ${connection.name}`,
    `Company: ${named(company)}`,
    ...furtherCompanies.map((further) => `Also acts on: ${named(further)}`),
    `Source: ${source === null ? 'not bound; each call names a source of the company' : source.name}`,
    'It may:',
    ...permissions.map((permission) => `- ${allowed[permission]}`),
    `Kind: ${kind === 'sandbox' ? 'sandbox; what it sends is test data and reaches no report' : 'production'}`,
    `It ends on ${endDate}.`,
  ].join('\n')
}

/** What is signed, to the letter: everything that is fixed about the connection. */
export interface ConnectionRecord extends Record<string, unknown> {
  further_companies: { company_id: string; orgnr: string; name: string }[]
  end_date: string
}

export function connectionRecord({ company, connection, endDate }: ConnectionTerms): ConnectionRecord {
  return {
    type: 'numera.service_connection',
    version: 1,
    connection_id: connection.connectionId,
    name: connection.name,
    company: { company_id: company.companyId, orgnr: company.orgnr, name: company.name },
    further_companies: connection.furtherCompanies.map((further) => ({
      company_id: further.companyId,
      orgnr: further.orgnr,
      name: further.name,
    })),
    source: connection.source && { source_id: connection.source.sourceId, name: connection.source.name },
    permissions: connection.permissions,
    kind: connection.kind,
    credential_kind: connection.credentialKind,
    client_id: connection.clientId,
    end_date: endDate,
  }
}
