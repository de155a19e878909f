import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { knownMetricsQuery } from './lists.ts'
import { metricName } from './metric-name.ts'

/** The metrics that may be declared, with their names in the page's language; none until they are loaded. */
export function useKnownMetrics() {
  const { t } = useTranslation()
  const { data = [] } = useQuery(knownMetricsQuery)
  return data.map((metric) => ({ ...metric, name: metricName(t, metric.key, metric.name) }))
}

/** Finds the name of a metric by its key. */
export function useMetricName(): (key: string) => string {
  const known = useKnownMetrics()
  return (key) => known.find((metric) => metric.key === key)?.name ?? key
}

/** Finds the unit of a metric by its key; `count` until the metrics are loaded. */
export function useMetricUnit(): (key: string) => string {
  const known = useKnownMetrics()
  return (key) => known.find((metric) => metric.key === key)?.unit ?? 'count'
}
