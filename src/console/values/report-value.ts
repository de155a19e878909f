/** A value of a report: a metric's, in a period, of some labels. */
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { readDay } from '../../platform/reads/read-window.ts'
import type { Combination } from '../../engine/aggregations/aggregation-definition.ts'
import { aggregations } from '../../engine/aggregations/aggregations.ts'
import type { Metric } from '../../engine/declarations/declaration.ts'
import { periods, periodStart, type Period } from '../../formats/values/period.ts'

/** Values by label: those that are included, where an absent label includes all; or those that are excluded. */
export type LabelFilter = ReadonlyMap<string, readonly string[]>

export interface ReportValueRequest {
  metric: string
  /** The metric's own by default. */
  grain?: Period | undefined
  /** `YYYY-MM-DD`. */
  periodStart: string
  filter: LabelFilter
  /** Excluded values, as for the series of all others. */
  except: LabelFilter
}

/** How values of several periods or labels combine into one; null if they cannot. */
export function getCombination({ aggregation }: Metric): Combination | null {
  return aggregations[aggregation].combines
}

/** The periods that a metric may be read by: its own, and longer ones if days combine. */
export function listGrains(metric: Metric): Period[] {
  // Weeks do not combine to months.
  return metric.period === 'day' && getCombination(metric) !== null ? [...periods] : [metric.period]
}

/** @throws 400 with field `grain` */
export function checkGrain(metric: Metric, grain: Period = metric.period): Period {
  const grains = listGrains(metric)
  if (grains.includes(grain)) return grain
  throw invalidArgument(`This metric is read by ${grains.join(', ')}.`, 'grain')
}

/** The labels that are not restricted to one value. */
export function openLabels(metric: Metric, filter: LabelFilter): string[] {
  return metric.group_by.filter((label) => filter.get(label)?.length !== 1)
}

/** @throws 400 with the parameter, if it names no label of the metric */
export function checkLabels(metric: Metric, filter: LabelFilter, prefix: string): void {
  for (const name of filter.keys()) {
    if (metric.group_by.includes(name)) continue
    throw invalidArgument(`The metric has no such label. ${labelSentence(metric)}`, `${prefix}${name}`)
  }
}

export function labelSentence({ group_by: labels }: Metric): string {
  return labels.length === 0 ? 'It has none.' : `Its labels: ${labels.join(', ')}.`
}

/** Values that cannot be added are those of one cell. @throws 400 with the label of which a value has to be named */
function checkOneCell(metric: Metric, filter: LabelFilter): void {
  if (getCombination(metric) !== null) return
  const [open] = openLabels(metric, filter)
  if (open === undefined) return
  throw invalidArgument(`Values of ${metric.metric} are never added: name one of ${open}.`, `label.${open}`)
}

/** A figure whose metric, period and labels exist. */
export interface ReportValue extends ReportValueRequest {
  grain: Period
  /** Its first day, counted from 1970-01-01. */
  firstDay: number
}

/** @throws 400 with the field that is wrong, or the label that needs a single value; 404 if there is no such metric */
export function checkReportValue(metrics: readonly Metric[], request: ReportValueRequest): ReportValue {
  const metric = metrics.find((each) => each.metric === request.metric)
  if (metric === undefined) throw notFound()
  const grain = checkGrain(metric, request.grain)
  checkLabels(metric, request.filter, 'label.')
  checkLabels(metric, request.except, 'not.')
  checkOneCell(metric, request.filter)
  const firstDay = readDay(request.periodStart, 'period_start')
  if (periodStart(grain, firstDay) !== firstDay) {
    throw invalidArgument(`No ${grain} begins on that day.`, 'period_start')
  }
  return { ...request, grain, firstDay }
}
