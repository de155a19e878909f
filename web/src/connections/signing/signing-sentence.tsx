import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import type { Source } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { formatDay } from '../../language/format-day.ts'
import { isolate } from '../../language/isolate.ts'
import { useMember } from '../../session/member.ts'
import { useNow } from '../../ui/use-now.ts'
import { type Draft, furtherChoices, unbound } from '../create/new-connection.ts'

/** The same day a year later; 28 February where there is none. */
function addYear(day: string): string {
  const later = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
  return later.endsWith('-02-29') ? `${later.slice(0, 8)}28` : later
}

/** Sums up what will be signed, while the form is filled in. */
export function SigningSentence({ draft, sources }: { draft: Draft; sources: Source[] }) {
  const { t, i18n } = useTranslation('connections')
  const format = useFormat()
  const now = useNow()
  const company = useCompany()
  const chosen = sources.find(({ source_id }) => source_id === draft.source)
  const isUnbound = draft.source === unbound
  const source =
    chosen === undefined ? t(isUnbound ? 'form.anySource' : 'form.noSource') : isolate(chosen.name)
  const further = furtherChoices(useMember().companies, company.company_id).filter(
    ({ company_id }) => isUnbound && draft.further.includes(company_id),
  )
  const companies = [company, ...further].map(({ name, orgnr }) => `${isolate(name)} (${orgnr})`)
  const sends = draft.permissions.includes('sources.ingest')
  const reads = draft.permissions.includes('metrics.read')
  const may = sends ? (reads ? 'mayBoth' : 'maySendTo') : reads ? 'mayReadFrom' : 'mayNothing'
  const name = draft.name.trim()
  return (
    <p>
      {t(`form.sentence.${draft.credential}`, {
        name: name === '' ? t('form.noName') : isolate(name),
        may: t(`form.${may}`, { source }),
        companies:
          companies.length === 1
            ? companies[0]
            : t('form.and', { first: companies.slice(0, -1).join(', '), last: companies.at(-1) }),
        kind: t(draft.kind === 'sandbox' ? 'form.kindSandbox' : 'form.kindProduction'),
        when: formatDay(i18n.language, addYear(format.today(now)), 'long'),
      })}
    </p>
  )
}
