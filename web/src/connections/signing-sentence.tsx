import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import type { Source } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { formatDay } from '../language/format-day.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { useNow } from '../ui/use-now.ts'
import { type Draft, furtherChoices, unbound } from './new-connection.ts'

const yearLater = /^\d{4}/

/** The same day a year later; the last of February where there is none. */
function aYearAfter(day: string): string {
  const later = day.replace(yearLater, (year) => String(Number(year) + 1))
  return later.endsWith('-02-29') ? `${later.slice(0, 8)}28` : later
}

/** Sums up what will be signed, while it is filled in. */
export function SigningSentence({ draft, sources }: { draft: Draft; sources: Source[] }) {
  const { t, i18n } = useTranslation('connections')
  const format = useFormat()
  const now = useNow()
  const company = useCompany()
  const chosen = sources.find(({ source_id }) => source_id === draft.source)
  const source =
    chosen !== undefined
      ? isolate(chosen.name)
      : t(draft.source === unbound ? 'form.anySource' : 'form.noSource')
  const further = furtherChoices(useMember().companies, company.company_id).filter(
    ({ company_id }) => draft.source === unbound && draft.further.includes(company_id),
  )
  const companies = [company, ...further].map(({ name, orgnr }) => `${isolate(name)} (${orgnr})`)
  const [sends, reads] = [
    draft.permissions.includes('sources.ingest'),
    draft.permissions.includes('metrics.read'),
  ]
  const name = draft.name.trim()
  return (
    <p>
      {t(`form.sentence.${draft.credential}`, {
        name: name === '' ? t('form.noName') : isolate(name),
        may: t(
          sends && reads
            ? 'form.mayBoth'
            : sends
              ? 'form.maySendTo'
              : reads
                ? 'form.mayReadFrom'
                : 'form.mayNothing',
          { source },
        ),
        companies:
          companies.length === 1
            ? companies[0]
            : t('form.and', { first: companies.slice(0, -1).join(', '), last: companies.at(-1) }),
        kind: t(draft.kind === 'sandbox' ? 'form.kindSandbox' : 'form.kindProduction'),
        when: formatDay(i18n.language, aYearAfter(format.today(now)), 'long'),
      })}
    </p>
  )
}
