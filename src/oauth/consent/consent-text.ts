import type { Language } from '../../platform/http/requests/preferred-language.ts'
import { longDate } from '../../formats/values/long-date.ts'
import type { RegisteredApp } from '../register/app.ts'
import type { AppPermission } from '../../people/access/app-permissions.ts'
import type { Addition } from './addition.ts'

/** What a member signs. */
export interface ConsentTerms {
  connectionId: string
  app: Pick<RegisteredApp, 'clientId' | 'clientName'>
  /** The host, and port if any, that the member is sent back to. */
  redirectHost: string
  member: { memberId: string; name: string | null }
  addition: Addition
  /** `YYYY-MM-DD`. */
  endDate: string
  /** Whether this is added to access that the app has already. */
  adds: boolean
}

const allowed: Record<Language, Record<AppPermission, string>> = {
  en: {
    'company.read': 'my companies: name, organisation number and time zone (company.read)',
    'metrics.read': 'their sources and numbers (metrics.read)',
  },
  sv: {
    'company.read': 'mina företag: namn, organisationsnummer och tidszon (company.read)',
    'metrics.read': 'deras källor och siffror (metrics.read)',
  },
}

const words = {
  en: {
    allow: 'I allow an app to read my companies’ numbers in Numera.',
    allowMore: 'I allow an app to read more of my companies’ numbers in Numera than it does already.',
    app: 'App:',
    returnsTo: 'I will be sent back to:',
    may: 'The app may see:',
    mayAlso: 'The app may also see:',
    companies: 'Companies:',
    furtherCompanies: 'Further companies:',
    every: 'all my companies, including new ones',
    servers: 'Its tokens are also for:',
    ends: (day: string) => `It ends on ${day}.`,
    endsAsBefore: (day: string) => `It ends on ${day}, as before.`,
    member: 'Member:',
  },
  sv: {
    allow: 'Jag tillåter en app att läsa mina företags siffror i Numera.',
    allowMore: 'Jag tillåter en app att läsa mer av mina företags siffror i Numera än den redan gör.',
    app: 'App:',
    returnsTo: 'Jag skickas tillbaka till:',
    may: 'Appen får se:',
    mayAlso: 'Appen får också se:',
    companies: 'Företag:',
    furtherCompanies: 'Fler företag:',
    every: 'alla mina företag, även nya',
    servers: 'Dess åtkomst gäller även hos:',
    ends: (day: string) => `Det upphör den ${day}.`,
    endsAsBefore: (day: string) => `Det upphör den ${day}, som förut.`,
    member: 'Medlem:',
  },
}

function list(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `- ${line}`)]
}

/**
 * What the member reads before signing, in the language of the page: app, redirect host, permissions, companies,
 * other servers, end date, and who they are. An addition names what is new. The record is the same in any language.
 *
 * @param showOrgnr how an organisation number is written
 */
export function consentText(
  terms: ConsentTerms,
  language: Language,
  showOrgnr: (orgnr: string) => string,
): string {
  const { app, addition, adds, member, endDate } = terms
  const say = words[language]
  const endsOn = longDate(endDate, language)
  const companies =
    addition.companies === 'every'
      ? [say.every]
      : addition.companies.map(({ name, orgnr }) => `${name} (${showOrgnr(orgnr)})`)
  return [
    adds ? say.allowMore : say.allow,
    '',
    `${say.app} ${app.clientName}`,
    `${say.returnsTo} ${terms.redirectHost}`,
    ...list(
      adds ? say.mayAlso : say.may,
      addition.permissions.map((permission) => allowed[language][permission]),
    ),
    ...list(adds ? say.furtherCompanies : say.companies, companies),
    ...list(say.servers, addition.resources),
    adds ? say.endsAsBefore(endsOn) : say.ends(endsOn),
    `${say.member} ${member.name ?? member.memberId}`,
  ].join('\n')
}

/** What is signed, and what the access is stored by. */
export interface ConsentRecord {
  kind: 'app_consent'
  connection_id: string
  client_id: string
  client_name: string
  redirect_host: string
  permissions: AppPermission[]
  /** Organisation numbers as they are stored. */
  companies: string[] | 'every'
  resources: string[]
  end_date: string
  adds: boolean
  member_id: string
}

export function consentRecord(terms: ConsentTerms): ConsentRecord {
  return {
    kind: 'app_consent',
    connection_id: terms.connectionId,
    client_id: terms.app.clientId,
    client_name: terms.app.clientName,
    redirect_host: terms.redirectHost,
    permissions: terms.addition.permissions,
    companies:
      terms.addition.companies === 'every' ? 'every' : terms.addition.companies.map(({ orgnr }) => orgnr),
    resources: terms.addition.resources,
    end_date: terms.endDate,
    adds: terms.adds,
    member_id: terms.member.memberId,
  }
}
