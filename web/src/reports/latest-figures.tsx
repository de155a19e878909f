import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey, knownMetricsQuery, type Source } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { compare } from '../decimals/decimal.ts'
import { Card } from '../ui/card.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { type Column, Table } from '../ui/table.tsx'

type Sample =
  ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}/samples'>['samples'][number]

function labelsOf({ labels }: Sample): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}

/** The figures of one source, as they are read, newest first. */
export function LatestFigures({ source: { source_id, name } }: { source: Source }) {
  const { t } = useTranslation('reports')
  const { company_id } = useCompany()
  const samples = useQuery({
    queryKey: companyKey(company_id, 'samples', source_id),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/sources/{source_id}/samples', {
        path: { company_id, source_id },
        query: {},
      }),
  })
  return (
    <Loaded query={samples}>
      {({ samples, truncated }) => (
        <>
          {truncated && <Note tone="amber">{t('truncated')}</Note>}
          <Card>
            <Section title={t('latest')} line={<bdi>{name}</bdi>} />
            <FiguresTable samples={samples} />
          </Card>
        </>
      )}
    </Loaded>
  )
}

function FiguresTable({ samples }: { samples: Sample[] }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const known = useQuery(knownMetricsQuery)
  const nameOf = (metric: string): string => known.data?.find(({ key }) => key === metric)?.name ?? metric
  const columns: Column<Sample>[] = [
    {
      key: 'period',
      head: t('period'),
      render: ({ period_start }) => format.day(period_start),
      compare: (a, b) => a.period_start.localeCompare(b.period_start),
    },
    { key: 'metric', head: t('metric'), render: ({ metric }) => nameOf(metric) },
    {
      key: 'labels',
      head: t('labels'),
      render: (sample) => <bdi>{labelsOf(sample) || t('noLabels')}</bdi>,
      wideOnly: true,
    },
    {
      key: 'value',
      head: t('value'),
      render: ({ value }) => format.number(value),
      compare: (a, b) => compare(a.value, b.value),
      end: true,
    },
  ]
  return (
    <Table
      caption={t('latest')}
      columns={columns}
      rows={samples}
      rowKey={(sample) => `${sample.metric} ${sample.period_start} ${labelsOf(sample)}`}
      empty={t('noFigures')}
    />
  )
}
