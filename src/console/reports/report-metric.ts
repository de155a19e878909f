import type { Metric } from '../../engine/declarations/declaration.ts'
import { knownMetrics } from '../../engine/declarations/known-metrics.ts'
import type { Period } from '../../formats/values/period.ts'
import { getCombination } from '../values/report-value.ts'

export {
  checkGrain,
  getCombination,
  listGrains,
  openLabels,
  type LabelFilter,
} from '../values/report-value.ts'

/** The period of a card. */
export function getCardGrain(metric: Metric): Period {
  return metric.period === 'day' && getCombination(metric) === 'sum' ? 'month' : metric.period
}

/** The name and the unit of a metric. */
export function describeMetric({ metric }: Pick<Metric, 'metric'>): { name: string; unit: string } {
  const known = knownMetrics.find(({ key }) => key === metric)
  return { name: known?.name ?? metric, unit: known?.unit ?? '' }
}
