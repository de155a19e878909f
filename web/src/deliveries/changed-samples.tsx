import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useKnownMetrics } from '../company/use-known-metrics.ts'
import { useFormat } from '../company/use-format.ts'
import { add, compare } from '../decimals/decimal.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { useMedia } from '../ui/drawer.tsx'
import { Loaded, More } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { type Column, Second, Table } from '../ui/table.tsx'
import classes from './delivery.module.css'
import type { DeliveryInFull } from './delivery-queries.ts'
import { phone } from './phone.ts'

type Samples = ApiResponse<'GET /console/companies/{company_id}/deliveries/{artifact_id}/samples'>
type Changed = Samples['samples'][number]

const firstSamples = 10
const furtherSamples = 200

/** The samples that a delivery changed; read anew once it is parsed. */
export function useChangedSamples({
  artifact_id,
  parsed_at,
}: Pick<DeliveryInFull, 'artifact_id' | 'parsed_at'>) {
  const { company_id } = useCompany()
  return useInfiniteQuery({
    queryKey: companyKey(company_id, 'deliveries', artifact_id, 'samples', parsed_at),
    queryFn: ({ pageParam }) =>
      callApi('GET /console/companies/{company_id}/deliveries/{artifact_id}/samples', {
        path: { company_id, artifact_id },
        query: {
          limit: String(pageParam === '' ? firstSamples : furtherSamples),
          ...(pageParam !== '' && { cursor: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: Samples) => next_cursor,
    enabled: parsed_at !== null,
  })
}

/** What the delivery did to the figures. */
export function ChangedSamples({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const list = useChangedSamples(delivery)
  const shown = list.data?.pages.flatMap(({ samples }) => samples) ?? []
  const count = list.data?.pages[0]?.count ?? 0
  return (
    <Card>
      <Section
        title={t('samples.title')}
        actions={
          count > shown.length && (
            <span className="small">
              {t('samples.shown', { total: format.count(count), shown: format.count(shown.length) })}
            </span>
          )
        }
      />
      {delivery.parsed_at === null ? (
        <p className={classes.empty}>{t('samples.noneQueued')}</p>
      ) : (
        <Loaded query={list} skeleton={<SkeletonRows rows={3} />}>
          {() => <SampleTable samples={shown} />}
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

/** What the delivery added where figures add up; else what its own rows come to. */
function gaveOf({ before, gave, after, added }: Changed): { value: string; isAdded: boolean } | undefined {
  if (added !== null) return { value: String(added), isAdded: true }
  if (gave === null) return undefined
  return { value: gave, isAdded: after !== null && compare(add(before ?? '0', gave), after) === 0 }
}

function SampleTable({ samples }: { samples: readonly Changed[] }) {
  const { t } = useTranslation('deliveries')
  const isPhone = useMedia(phone)
  const known = useKnownMetrics()
  const names = new Set(samples.flatMap(({ labels }) => Object.keys(labels)))
  const onlyLabel = names.size === 1 ? [...names][0] : undefined
  const nameOf = (metric: string): string => {
    const found = known?.find(({ key }) => key === metric)
    return found === undefined ? metric : found.unit === 'count' ? found.name : `${found.name}, ${found.unit}`
  }
  const columns: Column<Changed>[] = [
    {
      key: 'metric',
      head: t('samples.metric'),
      render: (sample) => (
        <>
          <span className={classes.strong}>{nameOf(sample.metric)}</span>
          {isPhone && (
            <Second>
              <PeriodOf sample={sample} />{' '}
              {Object.keys(sample.labels).length > 0 && (
                <Labels labels={Object.entries(sample.labels)} isNamed />
              )}
            </Second>
          )}
        </>
      ),
    },
    {
      key: 'period',
      head: t('samples.period'),
      render: (sample) => <PeriodOf sample={sample} />,
      wideOnly: true,
    },
    {
      key: 'labels',
      head: onlyLabel === undefined ? t('samples.labels') : <bdi>{onlyLabel}</bdi>,
      render: ({ labels }) => <Labels labels={Object.entries(labels)} isNamed={onlyLabel === undefined} />,
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

/** What it read before, what came, and what it reads now. */
function useFigureColumns(): Column<Changed>[] {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const figure = (value: string | null) =>
    value === null ? <span className="quiet">{t('samples.noFigure')}</span> : format.number(value)
  return [
    {
      key: 'before',
      head: t('samples.before'),
      render: ({ before }) => figure(before),
      end: true,
      wideOnly: true,
    },
    {
      key: 'gave',
      head: t('samples.gave'),
      render: (sample) => {
        const gave = gaveOf(sample)
        if (gave === undefined) return <span className="quiet">{t('samples.tookAway')}</span>
        return gave.isAdded ? format.signed(gave.value) : format.number(gave.value)
      },
      end: true,
    },
    {
      key: 'after',
      head: t('samples.after'),
      render: ({ after }) => <span className={classes.strong}>{figure(after)}</span>,
      end: true,
    },
  ]
}

function PeriodOf({ sample: { period, period_start, superseded } }: { sample: Changed }) {
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

function Labels({ labels, isNamed }: { labels: [string, string][]; isNamed: boolean }) {
  const { t } = useTranslation('deliveries')
  if (labels.length === 0) return <span className="quiet">–</span>
  return (
    <span className={classes.labels}>
      {labels.map(([name, value]) => (
        <span key={name}>
          {isNamed && (
            <span className="quiet">
              <bdi>{name}</bdi>{' '}
            </span>
          )}
          {value === '' ? <span className="quiet">{t('samples.noLabel')}</span> : <code>{value}</code>}
        </span>
      ))}
    </span>
  )
}
