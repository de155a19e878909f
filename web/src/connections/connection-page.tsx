import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey, type Connection } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { en } from '../language/connections.en.ts'
import { sv } from '../language/connections.sv.ts'
import { addTexts } from '../language/language.ts'
import { Card } from '../ui/card.tsx'
import { CopyableId } from '../ui/copy.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead, Path } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { ConnectionState } from './connection-state.tsx'

addTexts('connections', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/connections/$connectionId')

/** One connection (`/companies/{id}/connections/{id}`). */
export function ConnectionPage() {
  const { connectionId } = route.useParams()
  return <OneConnection key={connectionId} connectionId={connectionId} />
}

function OneConnection({ connectionId }: { connectionId: string }) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const query = useQuery({
    queryKey: companyKey(company_id, 'connections', connectionId),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/connections/{connection_id}', {
        path: { company_id, connection_id: connectionId },
      }),
  })
  const name = query.data?.name
  return (
    <Page width="form">
      <PageHead
        title={<bdi>{name ?? t('connection')}</bdi>}
        tab={name ?? t('connection')}
        path={
          <Path>
            <Link to="/companies/$companyId/connections" params={{ companyId: company_id }}>
              {t('title')}
            </Link>
            <bdi>{name ?? '…'}</bdi>
          </Path>
        }
      />
      <Loaded query={query}>{(connection) => <ConnectionFacts connection={connection} />}</Loaded>
    </Page>
  )
}

function ConnectionFacts({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const { permissions, credential_kind, source, client_id, made_at, made_by } = connection
  return (
    <Card>
      <Section>
        <Facts>
          <Fact name={t('state')}>
            <ConnectionState connection={connection} />
          </Fact>
          <Fact name={t('may')}>
            {permissions.map((permission) => t(permission === 'sources.ingest' ? 'send' : 'read')).join(', ')}
          </Fact>
          <Fact name={t('source')}>{source === null ? t('anySource') : <bdi>{source.name}</bdi>}</Fact>
          <Fact name={t('credential')}>{t(credential_kind)}</Fact>
          {client_id !== null && (
            <Fact name={t('clientId')}>
              <CopyableId id={client_id} label={t('clientId')} whole />
            </Fact>
          )}
          <Fact name={t('madeAt')}>
            {format.instant(made_at)}
            {made_by !== null && (
              <>
                , <bdi>{made_by.name}</bdi>
              </>
            )}
          </Fact>
        </Facts>
      </Section>
    </Card>
  )
}
