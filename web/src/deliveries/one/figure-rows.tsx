import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import type { FigureQuery } from '../../company/figure-address.ts'
import { companyKey } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { useKnownMetrics, useMetricUnit } from '../../company/use-known-metrics.ts'
import { useLinks } from '../../company/use-links.ts'
import { isolate } from '../../language/isolate.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Loaded, More } from '../../ui/feedback/loaded.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import type { DeliveryInFull } from '../delivery-queries.ts'
import classes from './delivery-rows.module.css'
import { RowTable } from './row-table.tsx'

const listValueRows = 'GET /console/companies/{company_id}/deliveries/{artifact_id}/value-rows'

type FigureRowsPage = ApiResponse<typeof listValueRows>

/** The rows of a delivery that count for one figure, with what they come to; all others are folded. */
export function FigureRows({ delivery, figure }: { delivery: DeliveryInFull; figure: FigureQuery }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const unit = useMetricUnit()(figure.metric)
  const { artifact_id, parsed_at } = delivery
  const list = useInfiniteQuery({
    queryKey: companyKey(company_id, 'deliveries', artifact_id, 'figure-rows', figure, parsed_at),
    queryFn: ({ pageParam: cursor }) =>
      callApi(listValueRows, {
        path: { company_id, artifact_id },
        query: { ...figure, ...(cursor !== '' && { cursor }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: FigureRowsPage) => next_cursor,
    // A stored delivery never changes.
    staleTime: Infinity,
  })
  return (
    <Card>
      <Section title={t('figureRows.title')} line={<FigureName figure={figure} />} />
      <Loaded query={list} skeleton={<SkeletonRows rows={8} />}>
        {({ pages }) => {
          const [first] = pages as [FigureRowsPage]
          const rows = pages.flatMap((page) => page.rows)
          const gaves = new Map(rows.map((row) => [row.row, row.gave]))
          return (
            <>
              <Total page={first} artifactId={artifact_id} unit={unit} />
              {rows.length > 0 && (
                <RowTable
                  fields={first.fields}
                  rows={rows.map((row) => ({ ...row, refusal: null }))}
                  gaves={gaves}
                  unit={unit}
                />
              )}
              {list.hasNextPage && (
                <div className={classes.foot}>
                  <More list={list} />
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

/** Such as `Revenue, SEK · February 2026 · country SE`. */
function FigureName({ figure }: { figure: FigureQuery }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { name = figure.metric, unit = 'count' } =
    useKnownMetrics().find(({ key }) => key === figure.metric) ?? {}
  const labels = Object.entries(figure).flatMap(([key, values]) => {
    const [, kind, label] = /^(label|not)\.(.*)$/s.exec(key) ?? []
    if (kind === undefined) return []
    const given = (values as string[]).map((value) => (value === '' ? t('samples.noLabel') : isolate(value)))
    return [t(`figureRows.${kind as 'label' | 'not'}`, { label: isolate(label!), values: given.join(', ') })]
  })
  const metric = unit === 'count' ? name : `${name}, ${unit}`
  return [metric, format.period(figure.period_start, figure.grain ?? 'day'), ...labels].join(' · ')
}

function Total({ page, artifactId, unit }: { page: FigureRowsPage; artifactId: string; unit: string }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const links = useLinks()
  const { state, reason, value, rows_counted: count, rows_not_counted: others } = page
  if (state === 'unreadable') {
    return (
      <div className={classes.notes}>
        <Note tone="red" title={t('figureRows.unreadable')}>
          {reason !== null && <span lang="en">{reason}</span>}
        </Note>
      </div>
    )
  }
  return (
    <p className={classes.total}>
      {state === 'queued' ? (
        t('figureRows.queued')
      ) : (
        <>
          <span>{t('figureRows.counted', { count, number: format.count(count) })}</span>
          {value !== null && <b>{format.figure(value, unit)}</b>}
        </>
      )}
      <Link {...links.delivery(artifactId)} search={{ rows: 'all' }} resetScroll={false}>
        {others === 0
          ? t('figureRows.all')
          : t('figureRows.folded', { count: others, number: format.count(others) })}
      </Link>
    </p>
  )
}
