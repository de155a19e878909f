import type { Company } from '../../people/companies/company.ts'
import type { Language } from '../../platform/http/requests/preferred-language.ts'
import { longDate } from '../../formats/values/long-date.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import type { Connection, ConnectionKind, ServicePermission } from './connection.ts'

/** What the creator of a connection signs [conn.sign]. */
export interface ConnectionTerms {
  company: Company
  connection: Connection
  /** The last day, `YYYY-MM-DD` in the company's time zone. */
  endDate: string
}

const words = {
  en: {
    sign: 'I sign this service connection of Numera.',
    connection: 'Connection:',
    company: 'Company:',
    alsoActsOn: 'Also acts on:',
    source: 'Source:',
    unbound: 'any source of the company; each call names one',
    may: 'It may:',
    allowed: {
      'sources.ingest': 'send deliveries to the source (sources.ingest)',
      'metrics.read': 'read the samples of the source (metrics.read)',
    },
    kind: 'Type:',
    kinds: {
      sandbox: 'sandbox; what it sends is test data and stays out of reports',
      production: 'production',
      demo: 'demo',
    },
    ends: (day: string) => `It ends on ${day}.`,
  },
  sv: {
    sign: 'Jag skriver under den här anslutningen i Numera.',
    connection: 'Anslutning:',
    company: 'Företag:',
    alsoActsOn: 'Gäller även för:',
    source: 'Källa:',
    unbound: 'alla företagets källor; varje anrop anger en',
    may: 'Den får:',
    allowed: {
      'sources.ingest': 'skicka leveranser till källan (sources.ingest)',
      'metrics.read': 'läsa källans värden (metrics.read)',
    },
    kind: 'Typ:',
    kinds: {
      sandbox: 'testläge; det som skickas är testdata och ingår inte i rapporter',
      production: 'skarp',
      demo: 'demo',
    },
    ends: (day: string) => `Den upphör den ${day}.`,
  },
} satisfies Record<
  Language,
  {
    allowed: Record<ServicePermission, string>
    kinds: Record<ConnectionKind, string>
    [word: string]: unknown
  }
>

function named({ name, orgnr }: { name: string; orgnr: string }): string {
  return `${name} (${formatOrgnr(orgnr)})`
}

/**
 * What the person reads before signing: company, source, permissions, kind and end date, in the language of the page. The
 * record is the same in any language.
 */
export function connectionText(
  { company, connection, endDate }: ConnectionTerms,
  language: Language,
): string {
  const { source, furtherCompanies, permissions, kind } = connection
  const say = words[language]
  return [
    say.sign,
    '',
    `${say.connection} ${connection.name}`,
    `${say.company} ${named(company)}`,
    ...furtherCompanies.map((further) => `${say.alsoActsOn} ${named(further)}`),
    `${say.source} ${source === null ? say.unbound : source.name}`,
    say.may,
    ...permissions.map((permission) => `- ${say.allowed[permission]}`),
    `${say.kind} ${say.kinds[kind]}`,
    say.ends(longDate(endDate, language)),
  ].join('\n')
}

/** The signed record: everything that is fixed about the connection. */
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
