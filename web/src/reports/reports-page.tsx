import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { may, useCompany } from '../company/company.ts'
import { type Source, sourcesQuery } from '../company/lists.ts'
import { Owners } from '../company/owners.tsx'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/reports.en.ts'
import { sv } from '../language/reports.sv.ts'
import { Empty, EmptyStart } from '../ui/empty-start.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Select } from '../ui/select.tsx'
import { LatestFigures } from './latest-figures.tsx'

addTexts('reports', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/reports')

/** The company's figures, source by source (`/companies/{id}/reports`). */
export function ReportsPage() {
  const { t } = useTranslation('reports')
  const company = useCompany()
  const sources = useQuery(sourcesQuery(company.company_id))
  const { source: named } = route.useSearch()
  const navigate = useNavigate()
  const chosen = sources.data?.find(({ source_id }) => source_id === named) ?? sources.data?.[0]
  return (
    <Page>
      <PageHead
        title={t('title')}
        line={
          sources.data?.length === 0
            ? t('none', { company: isolate(company.name) })
            : sources.data && t('intro', { count: sources.data.length })
        }
        actions={
          chosen !== undefined && (
            <Select
              label={t('readBySource')}
              icon="source"
              value={chosen.source_id}
              options={(sources.data ?? []).map(({ source_id, name }) => ({ value: source_id, label: name }))}
              onChange={(source) => void navigate({ to: '.', search: { source }, replace: true })}
            />
          )
        }
      />
      <Loaded query={sources}>
        {(list) => (list.length === 0 ? <NothingYet /> : chosen !== undefined && <Figures source={chosen} />)}
      </Loaded>
    </Page>
  )
}

function Figures({ source }: { source: Source }) {
  return <LatestFigures key={source.source_id} source={source} />
}

/** Who may connect a system is led there; who may not is told that nothing is theirs to do. */
function NothingYet() {
  const { t } = useTranslation('reports')
  const { role } = useCompany()
  if (!may(role, 'developer')) {
    return (
      <Empty title={t('byThemselves')} actions={<Owners label={t('whoConnects')} />}>
        {t('byThemselvesText')}
      </Empty>
    )
  }
  return (
    <EmptyStart
      title={t('start.title')}
      steps={[
        { title: t('start.describe'), text: t('start.describeText'), state: 'now' },
        { title: t('start.sign'), text: t('start.signText'), state: 'later' },
        { title: t('start.send'), text: t('start.sendText'), state: 'later' },
      ]}
    />
  )
}
