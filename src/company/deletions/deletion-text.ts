import type { Company } from '../../people/companies/company.ts'
import type { Language } from '../../platform/http/requests/preferred-language.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { graceDays } from './deletion.ts'

const words = {
  en: {
    sign: 'I sign that this company is deleted from Numera.',
    company: 'Company:',
    deleted: 'Its sources, deliveries, samples, connections, members and audit log are all deleted.',
    grace:
      `Once two owners have signed, nothing more is received. Any owner can withdraw the deletion for ${graceDays} days. ` +
      'After that it cannot be undone.',
  },
  sv: {
    sign: 'Jag skriver under att det här företaget tas bort från Numera.',
    company: 'Företag:',
    deleted: 'Alla dess källor, leveranser, värden, anslutningar, medlemmar och händelser tas bort.',
    grace:
      `När två ägare har skrivit under tas inget mer emot. I ${graceDays} dagar kan varje ägare dra tillbaka ` +
      'borttagningen. Därefter går den inte att ångra.',
  },
} satisfies Record<Language, Record<string, string>>

/** What each owner reads before signing, in the language of the page. The record is the same in any language. */
export function deletionText({ name, orgnr }: Company, language: Language): string {
  const say = words[language]
  return [say.sign, '', `${say.company} ${name} (${formatOrgnr(orgnr)})`, say.deleted, say.grace].join('\n')
}

/** The signed record. */
export function deletionRecord({ companyId, orgnr, name }: Company, deletionId: string) {
  return {
    type: 'numera.company_deletion',
    version: 1,
    deletion_id: deletionId,
    company: { company_id: companyId, orgnr, name },
    grace_days: graceDays,
  }
}
