import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { companyKey } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { useKnownMetrics, useMetricUnit } from '../../company/use-known-metrics.ts'
import { add, compare } from '../../decimals/decimal.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { useMedia } from '../../ui/overlays/drawer.tsx'
import { Loaded, More } from '../../ui/feedback/loaded.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { type Column, Second, Table } from '../../ui/display/table.tsx'
import type { DeliveryInFull } from '../delivery-queries.ts'
import { phone } from '../phone.ts'
import classes from './delivery.module.css'

const listSamples = 'GET /console/companies/{company_id}/deliveries/{artifact_id}/samples'

type Samples = ApiResponse<typeof listSamples>
type Changed = Samples['samples'][number]

const firstSamples = 10
const furtherSamples = 200

/** The samples that a delivery changed, once it is parsed. */
export function useChangedSamples({ artifact_id, parsed_at }: DeliveryInFull) {
  const { company_id } = useCompany()
  return useInfiniteQuery({
    queryKey: companyKey(company_id, 'deliveries', artifact_id, 'samples', parsed_at),
    queryFn: ({ pageParam: cursor }) =>
      callApi(listSamples, {
        path: { company_id, artifact_id },
        query: cursor === '' ? { limit: String(firstSamples) } : { limit: String(furtherSamples), cursor },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: Samples) => next_cursor,
    enabled: parsed_at !== null,
  })
}

/** The effect of the delivery on the company's figures. */
export function ChangedSamples({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const list = useChangedSamples(delivery)
  const samples = list.data?.pages.flatMap((page) => page.samples) ?? []
  const count = list.data?.pages[0]?.count ?? 0
  const [shown, total] = [samples.length, count].map(format.count)
  return (
    <Card>
      <Section
        title={t('samples.title')}
        actions={
          count > samples.length && <span className="small">{t('samples.shown', { total, shown })}</span>
        }
      >
        {delivery.parsed_at === null && <p className="quiet">{t('samples.noneQueued')}</p>}
      </Section>
      {delivery.parsed_at !== null && (
        <Loaded query={list} skeleton={<SkeletonRows rows={3} />}>
          {() => <SampleTable samples={samples} />}
        </Loaded>
      )}
      {list.hasNextPage && (
        <div className={classes.foot}>
          <More list={list} />
        </div>
      )}
    </Card>
  )
}

function SampleTable({ samples }: { samples: readonly Changed[] }) {
  const { t } = useTranslation('deliveries')
  const isPhone = useMedia(phone)
  const known = useKnownMetrics()
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)))
  const [onlyLabel] = labels.size === 1 ? labels : []
  const nameMetric = (metric: string): string => {
    const { name = metric, unit = 'count' } = known.find(({ key }) => key === metric) ?? {}
    return unit === 'count' ? name : `${name}, ${unit}`
  }
  const columns: Column<Changed>[] = [
    {
      key: 'metric',
      head: t('samples.metric'),
      render: (sample) => (
        <>
          <b>{nameMetric(sample.metric)}</b>
          {isPhone && (
            <Second>
              <Period sample={sample} />{' '}
              {Object.keys(sample.labels).length > 0 && <Labels sample={sample} isNamed />}
            </Second>
          )}
        </>
      ),
    },
    {
      key: 'period',
      head: t('samples.period'),
      render: (sample) => <Period sample={sample} />,
      wideOnly: true,
    },
    {
      key: 'labels',
      head: onlyLabel === undefined ? t('samples.labels') : <bdi>{onlyLabel}</bdi>,
      render: (sample) => <Labels sample={sample} isNamed={onlyLabel === undefined} />,
      wideOnly: true,
    },
    ...useFigureColumns(),
  ]
  return (
    <Table
      caption={t('samples.caption')}
      columns={columns}
      rows={samples}
      rowKey={({ metric, period_start, labels }) => `${metric} ${period_start} ${JSON.stringify(labels)}`}
      empty={t('samples.none')}
    />
  )
}

/** The figure before, what the delivery gave, and the figure now. */
function useFigureColumns(): Column<Changed>[] {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const getUnit = useMetricUnit()
  const figure = (value: string | null, metric: string) =>
    value === null ? (
      <span className="quiet">{t('samples.noFigure')}</span>
    ) : (
      format.figure(value, getUnit(metric))
    )
  return [
    {
      key: 'before',
      head: t('samples.before'),
      render: ({ before, metric }) => figure(before, metric),
      end: true,
      wideOnly: true,
    },
    {
      key: 'gave',
      head: t('samples.gave'),
      render: ({ metric, before, gave, after, added }) => {
        if (added !== null) return format.signed(String(added))
        if (gave === null) return <span className="quiet">{t('samples.tookAway')}</span>
        const isAdded = after !== null && compare(add(before ?? '0', gave), after) === 0
        return format.figure(gave, getUnit(metric), { sign: isAdded })
      },
      end: true,
    },
    {
      key: 'after',
      head: t('samples.after'),
      render: ({ metric, after }) => <b>{figure(after, metric)}</b>,
      end: true,
    },
  ]
}

function Period({ sample: { period, period_start, superseded } }: { sample: Changed }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  return (
    <span className={classes.same}>
      {format.period(period_start, period)}
      {superseded && (
        <span title={t('samples.supersededWhat')}>
          <Badge>{t('samples.superseded')}</Badge>
        </span>
      )}
    </span>
  )
}

function Labels({ sample, isNamed }: { sample: Changed; isNamed: boolean }) {
  const { t } = useTranslation('deliveries')
  const labels = Object.entries(sample.labels)
  if (labels.length === 0) return <span className="quiet">–</span>
  return (
    <span className={classes.labels}>
      {labels.map(([name, value]) => (
        <span key={name}>
          {isNamed && <bdi className="quiet">{name}</bdi>}{' '}
          {value === '' ? <span className="quiet">{t('samples.noLabel')}</span> : <code>{value}</code>}
        </span>
      ))}
    </span>
  )
}
