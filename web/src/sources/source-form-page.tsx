import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/sources.ts'
import { sv } from '../language/sv/sources.ts'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { SourceForm } from './form/source-form.tsx'
import { sourceQuery } from './source-query.ts'

addTexts('sources', { en, sv })

const newRoute = getRouteApi('/frame/companies/$companyId/sources/new')
const changeRoute = getRouteApi('/frame/companies/$companyId/sources/$sourceId/change')

/** Creates a source (`/companies/{id}/sources/new`). */
export function NewSourcePage() {
  const { step } = newRoute.useSearch()
  return <SourceForm current={null} step={step} />
}

const skeleton = (
  <Skeleton
    blocks={[
      { width: 'wide', height: 28 },
      { width: 'wide', height: 320 },
    ]}
  />
)

/** Changes a source (`/companies/{id}/sources/{id}/change`). */
export function ChangeSourcePage() {
  const { t } = useTranslation('sources')
  const { sourceId } = changeRoute.useParams()
  const { step, delivery } = changeRoute.useSearch()
  const { company_id } = useCompany()
  const query = useQuery(sourceQuery(company_id, sourceId))
  const { source, versions } = query.data ?? {}
  const version = versions?.[0]
  if (source !== undefined && version !== undefined) {
    return <SourceForm key={sourceId} current={{ source, version }} step={step} artifactId={delivery} />
  }
  return (
    <Page>
      <PageHead title={t('source')} />
      <Loaded query={query} skeleton={skeleton}>
        {() => null}
      </Loaded>
    </Page>
  )
}
