import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { knownMetricsQuery } from '../company/lists.ts'
import type { Metric } from './draft.ts'
import { fillText, joinParts } from './fill-text.tsx'

const whole = { skipInterpolation: true } as const

/** The name of a field or a value that somebody chose, in a sentence. */
function Named({ children }: { children: string }) {
  return (
    <b>
      <bdi>{children === '' ? '…' : children}</bdi>
    </b>
  )
}

/** Values of a list that a sentence says; of more it says how many. */
const valuesSaidMax = 5

/** What a metric counts, in words. It says as much as is filled in. */
export function MetricSentence({ metric, eventTime }: { metric: Metric; eventTime: string }) {
  const { t } = useTranslation('sources')
  const known = useQuery(knownMetricsQuery).data?.find(({ key }) => key === metric.metric)
  const conditions = useConditions(metric)
  const { aggregation, field = '', times, group_by } = metric
  const what = (
    <>
      <Named>{field}</Named>
      {times !== undefined && (
        <>
          {' × '}
          <Named>{times}</Named>
        </>
      )}
    </>
  )
  const counts = aggregation === 'count' && field !== '' ? 'count_field' : aggregation
  const isAmount = aggregation !== 'count' && aggregation !== 'count_distinct'
  return (
    <>
      {fillText(t(`sentence.${counts}`, whole), { what })}
      {fillText(t('sentence.per', whole), {
        period: <b>{t(`sentence.period.${metric.period}`)}</b>,
        time: <Named>{eventTime}</Named>,
      })}
      {group_by.length > 0 &&
        fillText(t('sentence.each', whole), {
          labels: joinParts(
            group_by.map((name) => <Named key={name}>{name}</Named>),
            t('sentence.and'),
          ),
        })}
      {isAmount && known !== undefined && known.unit !== 'count' && t('sentence.unit', { unit: known.unit })}.
      {conditions}
    </>
  )
}

function useConditions({ filters }: Metric): ReactNode {
  const { t } = useTranslation('sources')
  if (filters.length === 0) return null
  // "Left out where it is cancelled" is plainer than "counted where it is not".
  const isLeftOut = filters.length === 1 && filters[0]!.comparison === '≠'
  const parts = filters.map((filter) => {
    const values = filter.comparison === 'in' ? filter.values : [filter.value]
    const said = values.slice(0, valuesSaidMax).map((value) => <Named key={value}>{value}</Named>)
    const more = values.length - said.length
    if (more > 0) said.push(<span key="">{t('sentence.more', { count: more })}</span>)
    return fillText(t(`sentence.is.${isLeftOut ? '=' : filter.comparison}`, whole), {
      field: <Named>{filter.field}</Named>,
      value: joinParts(said.length === 0 ? [<Named key="">{''}</Named>] : said, t('sentence.or')),
    })
  })
  return (
    <>
      {' '}
      {fillText(t(isLeftOut ? 'sentence.leftOut' : 'sentence.only', whole), {
        conditions: joinParts(parts, t('sentence.and')),
      })}
    </>
  )
}
