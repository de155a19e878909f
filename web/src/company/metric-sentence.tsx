import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiRequest } from '../api/call-api.ts'
import { aggregationRules } from '../api/engine-rules.ts'
import { fillText, joinParts } from './fill-text.tsx'
import { useKnownMetrics } from './use-known-metrics.ts'

type Metric = ApiRequest<'POST /console/companies/{company_id}/sources'>['body']['metrics'][number]

const whole = { skipInterpolation: true } as const

/** The name of a field, or a value, in a sentence. */
function Named({ children }: { children: string }) {
  return (
    <b>
      <bdi>{children === '' ? '…' : children}</bdi>
    </b>
  )
}

/** The most values of a list in a sentence; of more it gives the number. */
const valuesMax = 5

/** What a metric counts, in words, as far as it is filled in. */
export function MetricSentence({ metric, eventTime }: { metric: Metric; eventTime: string }) {
  const { t } = useTranslation('sources')
  const unit = useKnownMetrics().find(({ key }) => key === metric.metric)?.unit ?? 'count'
  const conditions = useConditions(metric)
  const { aggregation, field = '', times, group_by } = metric
  const what = (
    <>
      <Named>{field}</Named>
      {times !== undefined && ' × '}
      {times !== undefined && <Named>{times}</Named>}
    </>
  )
  const { counts } = aggregationRules[aggregation]
  const sentence = counts === 'rows' && field === '' ? 'rows' : 'of'
  const isAmount = counts === 'numbers'
  const period = <b>{t(`sentence.period.${metric.period}`)}</b>
  const labels = group_by.map((name) => <Named key={name}>{name}</Named>)
  return (
    <>
      {fillText(t(`sentence.${sentence}.${aggregation}`, whole), { what })}
      {fillText(t('sentence.per', whole), { period, time: <Named>{eventTime}</Named> })}
      {labels.length > 0 &&
        fillText(t('sentence.each', whole), { labels: joinParts(labels, t('sentence.and')) })}
      {isAmount && unit !== 'count' && t('sentence.unit', { unit })}.{conditions}
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
    const shown = values.slice(0, valuesMax).map((value) => <Named key={value}>{value}</Named>)
    const more = values.length - shown.length
    if (more > 0) shown.push(<span key="">{t('sentence.more', { count: more })}</span>)
    return fillText(t(`sentence.is.${isLeftOut ? '=' : filter.comparison}`, whole), {
      field: <Named>{filter.field}</Named>,
      value: joinParts(shown.length === 0 ? [<Named key="">{''}</Named>] : shown, t('sentence.or')),
    })
  })
  const conditions = joinParts(parts, t('sentence.and'))
  return <> {fillText(t(isLeftOut ? 'sentence.leftOut' : 'sentence.only', whole), { conditions })}</>
}
