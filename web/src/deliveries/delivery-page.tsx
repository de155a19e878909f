import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey, sourcesQuery } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { en } from '../language/deliveries.en.ts'
import { sv } from '../language/deliveries.sv.ts'
import { addTexts } from '../language/language.ts'
import { Card } from '../ui/card.tsx'
import { CopyableId } from '../ui/copy.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead, Path } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Table } from '../ui/table.tsx'
import { DeliveryState } from './delivery-state.tsx'

addTexts('deliveries', { en, sv })

type Report = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}'>

const route = getRouteApi('/frame/companies/$companyId/deliveries/$artifactId')

/** One delivery (`/companies/{id}/deliveries/{id}`). */
export function DeliveryPage() {
  const { artifactId } = route.useParams()
  return <OneDelivery key={artifactId} artifactId={artifactId} />
}

function OneDelivery({ artifactId }: { artifactId: string }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const format = useFormat()
  const query = useQuery({
    queryKey: companyKey(company_id, 'deliveries', artifactId),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/deliveries/{artifact_id}', {
        path: { company_id, artifact_id: artifactId },
      }),
  })
  return (
    <Page>
      <PageHead
        title={t('report')}
        line={query.data && format.instant(query.data.received_at)}
        path={
          <Path>
            <Link to="/companies/$companyId/deliveries" params={{ companyId: company_id }}>
              {t('title')}
            </Link>
            <code>{artifactId}</code>
          </Path>
        }
      />
      <Loaded query={query}>{(report) => <DeliveryReport report={report} />}</Loaded>
    </Page>
  )
}

function DeliveryReport({ report }: { report: Report }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { company_id } = useCompany()
  const sources = useQuery(sourcesQuery(company_id)).data
  const source = sources?.find(({ source_id }) => source_id === report.source_id)
  const counted = (rows: number | null): string => (rows === null ? t('queued') : format.count(rows))
  return (
    <>
      {report.reason !== null && (
        <Note tone="red" title={t('unreadable')}>
          {report.reason}
        </Note>
      )}
      <Card>
        <Section>
          <Facts>
            <Fact name={t('state')}>
              <DeliveryState delivery={report} />
            </Fact>
            <Fact name={t('source')}>
              <bdi>{source?.name ?? '…'}</bdi>
            </Fact>
            <Fact name={t('id')}>
              <CopyableId id={report.artifact_id} label={t('id')} />
            </Fact>
            <Fact name={t('accepted')}>{counted(report.rows_accepted)}</Fact>
            <Fact name={t('refused')}>{counted(report.rows_refused)}</Fact>
            <Fact name={t('dateAlone')}>{counted(report.rows_date_alone)}</Fact>
            <Fact name={t('size')}>{format.bytes(report.content_bytes)}</Fact>
            <Fact name={t('version')}>{report.shape_version}</Fact>
            <Fact name={t('dropped')}>
              {report.dropped_keys.length === 0 ? t('noDropped') : report.dropped_keys.join(', ')}
            </Fact>
          </Facts>
        </Section>
      </Card>
      <Refusals report={report} />
    </>
  )
}

function Refusals({ report: { refusals, rows_refused } }: { report: Report }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const isCut = (rows_refused ?? 0) > refusals.length
  return (
    <Card>
      <Section title={t('refusals')} {...(isCut && { line: t('firstOnes', { count: refusals.length }) })} />
      <Table
        caption={t('refusals')}
        columns={[
          { key: 'row', head: t('row'), render: ({ row }) => format.count(row) },
          {
            key: 'field',
            head: t('field'),
            render: ({ field }) => (field === undefined ? t('wholeRow') : <code>{field}</code>),
          },
          { key: 'reason', head: t('reason'), render: ({ reason }) => <bdi>{reason}</bdi> },
        ]}
        rows={refusals}
        rowKey={({ row, field, code }) => `${row} ${field} ${code}`}
        empty={t('noRefusals')}
      />
    </Card>
  )
}
