import type { RegisteredApp } from '../registration/app.ts'
import type { AppPermission } from '../app-permissions.ts'
import type { Addition } from './consent-choice.ts'

/** What a member signs. */
export interface ConsentTerms {
  connectionId: string
  app: Pick<RegisteredApp, 'clientId' | 'clientName'>
  /** Host, and port where it is said, that the member is sent back to. */
  redirectHost: string
  member: { memberId: string; name: string | null }
  addition: Addition
  /** `YYYY-MM-DD`. */
  endDate: string
  /** Whether the app has access already, to which this is added. */
  adds: boolean
}

const allowed: Record<AppPermission, string> = {
  'company.read': 'see which companies they are (company.read)',
  'metrics.read': 'read their samples (metrics.read)',
}

const list = (title: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `- ${line}`)]

/**
 * What the member reads before signing: app, redirect host, permissions, companies, further servers, end date, and who
 * they are. Of an addition it names what is new.
 *
 * @param showOrgnr how an organisation number is written
 */
export const consentText = (terms: ConsentTerms, showOrgnr: (orgnr: string) => string): string => {
  const { app, addition, adds, member } = terms
  const companies =
    addition.companies === 'every'
      ? ['all that I have access to, later ones too']
      : addition.companies.map(({ name, orgnr }) => `${name} (${showOrgnr(orgnr)})`)
  return [
    adds
      ? 'I allow an app to read more for me in Numera than it does already.'
      : 'I allow an app to read for me in Numera.',
    '',
    `App: ${app.clientName}`,
    `It returns to: ${terms.redirectHost}`,
    ...list(
      adds ? 'It may also:' : 'It may:',
      addition.permissions.map((permission) => allowed[permission]),
    ),
    ...list(adds ? 'Further companies:' : 'Companies:', companies),
    ...list('Its tokens are also for:', addition.resources),
    adds ? `It ends on ${terms.endDate}, as before.` : `It ends on ${terms.endDate}.`,
    `Member: ${member.name ?? member.memberId}`,
  ].join('\n')
}

/** What is signed, to the letter, and what is kept by. */
export interface ConsentRecord {
  kind: 'app_consent'
  connection_id: string
  client_id: string
  client_name: string
  redirect_host: string
  permissions: AppPermission[]
  /** Organisation numbers as they are kept. */
  companies: string[] | 'every'
  resources: string[]
  end_date: string
  adds: boolean
  member_id: string
}

export const consentRecord = (terms: ConsentTerms): ConsentRecord => ({
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
})
