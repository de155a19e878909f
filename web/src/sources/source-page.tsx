import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/sources.en.ts'
import { sv } from '../language/sources.sv.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { CopyableId } from '../ui/copy.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead, Path } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Table } from '../ui/table.tsx'

addTexts('sources', { en, sv })

type SourceWithVersions = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}'>

const route = getRouteApi('/frame/companies/$companyId/sources/$sourceId')

/** One source (`/companies/{id}/sources/{id}`). */
export function SourcePage() {
  const { sourceId } = route.useParams()
  return <OneSource key={sourceId} sourceId={sourceId} />
}

function OneSource({ sourceId }: { sourceId: string }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const query = useQuery({
    queryKey: companyKey(company_id, 'sources', sourceId),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/sources/{source_id}', {
        path: { company_id, source_id: sourceId },
        query: {},
      }),
  })
  const source = query.data?.source
  return (
    <Page>
      <PageHead
        title={<bdi>{source?.name ?? t('source')}</bdi>}
        tab={source?.name ?? t('source')}
        line={
          source && (
            <>
              <bdi>{source.system_kind}</bdi> · {t(source.delivery_way)} · {t(source.delivers)} ·{' '}
              {t('version', { version: source.shape_version })}
            </>
          )
        }
        path={
          <Path>
            <Link to="/companies/$companyId/sources" params={{ companyId: company_id }}>
              {t('title')}
            </Link>
            <bdi>{source?.name ?? '…'}</bdi>
          </Path>
        }
        actions={source?.state === 'paused' && <Badge icon="pause">{t('paused')}</Badge>}
      />
      <Loaded query={query}>{(data) => <SourceFacts data={data} />}</Loaded>
    </Page>
  )
}

function SourceFacts({ data: { source, versions } }: { data: SourceWithVersions }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const current = versions[0]
  return (
    <>
      <Card>
        <Section title={t('thisSource')}>
          <Facts>
            <Fact name={t('id')}>
              <CopyableId id={source.source_id} label={t('id')} />
            </Fact>
            <Fact name={t('made')}>{format.instant(source.created_at)}</Fact>
            {current !== undefined && <Fact name={t('eventTime')}>{current.event_time}</Fact>}
          </Facts>
        </Section>
      </Card>
      {current !== undefined && (
        <Card>
          <Section title={t('fields')} line={t('version', { version: current.shape_version })} />
          <Table
            caption={t('fields')}
            columns={[
              { key: 'name', head: t('field'), render: ({ name }) => <code>{name}</code> },
              { key: 'type', head: t('type'), render: ({ type }) => t(`types.${type}`) },
              {
                key: 'personal',
                head: t('personal'),
                render: ({ personal }) => (personal ? t('yes') : t('no')),
              },
            ]}
            rows={current.fields}
            rowKey={({ name }) => name}
          />
        </Card>
      )}
    </>
  )
}
