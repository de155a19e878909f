import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { useKnownMetrics } from '../company/use-known-metrics.ts'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { Row } from '../ui/page.tsx'
import { Section } from '../ui/section.tsx'
import { Table } from '../ui/table.tsx'
import { MetricSentence } from './metric-sentence.tsx'
import type { ShownSource } from './source-query.ts'

/** What a source counts, in words, and the fields that it counts from. */
export function SourceMetrics({ data: { source, versions } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const current = versions[0]
  if (current === undefined) return null
  return (
    <>
      {current.metrics.length === 0 ? (
        <Empty title={t('metrics.none')} actions={<ChangeLink sourceId={source.source_id} step="metrics" />}>
          {t('metrics.noneText')}
        </Empty>
      ) : (
        <MetricsCard version={current} sourceId={source.source_id} />
      )}
      <Card>
        <Section
          title={t('fields')}
          line={t('version', { version: current.shape_version })}
          actions={<ChangeLink sourceId={source.source_id} step="fields" />}
        />
        <Table
          caption={t('fields')}
          columns={[
            { key: 'name', head: t('field'), render: ({ name }) => <code>{name}</code> },
            {
              key: 'type',
              head: t('type'),
              render: ({ type, name }) =>
                name === current.event_time
                  ? `${t(`types.${type}`)}, ${t('isEventTime')}`
                  : t(`types.${type}`),
            },
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
    </>
  )
}

function MetricsCard({ version, sourceId }: { version: ShownSource['versions'][number]; sourceId: string }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const known = useKnownMetrics()
  return (
    <Card>
      {version.metrics.map((metric, index) => (
        <Section
          key={metric.metric}
          title={known.find(({ key }) => key === metric.metric)?.name ?? metric.metric}
          actions={
            <Row>
              {index === 0 && <ChangeLink sourceId={sourceId} step="metrics" />}
              <ButtonLink
                to="/companies/$companyId/reports/$sourceId/$metric"
                params={{ companyId: company_id, sourceId, metric: metric.metric }}
                small
                variant="quiet"
              >
                {t('metrics.seeReport')}
              </ButtonLink>
            </Row>
          }
        >
          <p>
            <MetricSentence metric={metric} eventTime={version.event_time} />
          </p>
        </Section>
      ))}
    </Card>
  )
}

function ChangeLink({ sourceId, step }: { sourceId: string; step: 'fields' | 'metrics' }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  return (
    <ButtonLink
      to="/companies/$companyId/sources/$sourceId/change"
      params={{ companyId: company_id, sourceId }}
      search={{ step }}
      small
    >
      {t(step === 'fields' ? 'metrics.changeFields' : 'metrics.change')}
    </ButtonLink>
  )
}
