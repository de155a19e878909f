import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { connectionsQuery, sourcesQuery } from '../../company/lists.ts'
import { en } from '../../language/en/connections.ts'
import { sv } from '../../language/sv/connections.ts'
import { addTexts } from '../../language/language.ts'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ConnectionPath } from '../connection-path.tsx'
import { NewConnectionForm } from './new-connection-form.tsx'

addTexts('connections', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/connections/new')

/** A new connection (`/companies/{id}/connections/new`). */
export function NewConnectionPage() {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const { source, successor } = route.useSearch()
  const sources = useQuery(sourcesQuery(company_id))
  const connections = useQuery({ ...connectionsQuery(company_id), enabled: successor !== undefined })
  const before = successor === undefined ? sources : connections.data === undefined ? connections : sources
  // A new source is in the list after the next fetch.
  const isAwaited =
    source !== undefined &&
    sources.isFetching &&
    sources.data?.every(({ source_id }) => source_id !== source) === true
  return (
    <Page width="form">
      <PageHead
        title={t('form.title')}
        line={t('form.line')}
        path={<ConnectionPath name={t('form.title')} />}
      />
      <Loaded query={{ ...before, data: before.data === undefined || isAwaited ? undefined : sources.data }}>
        {(list) => (
          <NewConnectionForm
            key={successor}
            sources={list}
            predecessor={connections.data?.find(({ connection_id }) => connection_id === successor)}
          />
        )}
      </Loaded>
    </Page>
  )
}
