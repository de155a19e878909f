import { useTranslation } from 'react-i18next'
import { useMetricName } from '../../company/use-known-metrics.ts'
import { useLinks } from '../../company/use-links.ts'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Empty } from '../../ui/feedback/empty-start.tsx'
import { Row } from '../../ui/layout/page.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { type Column, Table } from '../../ui/display/table.tsx'
import type { Field, ShapeVersion, ShownSource } from '../declaration.ts'
import { MetricSentence } from '../../company/metric-sentence.tsx'

/** A source's metrics in words, and its fields. */
export function SourceMetrics({ data: { source, versions } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const current = versions[0]
  if (current === undefined) return null
  const { fields, metrics, event_time, shape_version: version } = current
  const columns: Column<Field>[] = [
    { key: 'name', head: t('field'), render: ({ name }) => <code>{name}</code> },
    {
      key: 'type',
      head: t('type'),
      render: ({ type, name }) =>
        `${t(`types.${type}`)}${name === event_time ? `, ${t('isEventTime')}` : ''}`,
    },
    { key: 'personal', head: t('personal'), render: ({ personal }) => t(personal ? 'yes' : 'no') },
  ]
  const changeFields = <ChangeLink sourceId={source.source_id} step="fields" />
  return (
    <>
      {metrics.length === 0 ? (
        <Empty title={t('metrics.none')} actions={<ChangeLink sourceId={source.source_id} step="metrics" />}>
          {t('metrics.noneText')}
        </Empty>
      ) : (
        <MetricsCard version={current} sourceId={source.source_id} />
      )}
      <Card>
        <Section title={t('fields')} line={t('version', { version })} actions={changeFields} />
        <Table caption={t('fields')} columns={columns} rows={fields} rowKey={({ name }) => name} />
      </Card>
    </>
  )
}

function MetricsCard({ version, sourceId }: { version: ShapeVersion; sourceId: string }) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  const nameMetric = useMetricName()
  return (
    <Card>
      {version.metrics.map((metric, index) => (
        <Section
          key={metric.metric}
          title={nameMetric(metric.metric)}
          actions={
            <Row>
              {index === 0 && <ChangeLink sourceId={sourceId} step="metrics" />}
              <ButtonLink {...links.report(sourceId, metric.metric)} small variant="quiet">
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
  const links = useLinks()
  return (
    <ButtonLink {...links.changeSource(sourceId)} search={{ step }} small>
      {t(step === 'fields' ? 'metrics.changeFields' : 'metrics.change')}
    </ButtonLink>
  )
}
