import type { AggregatedMetric } from '../../engine/parsing/aggregate/aggregated-metric.ts'
import {
  combine,
  type AggregatedDelivery,
  type CombinedSample,
} from '../../engine/parsing/aggregate/combine.ts'
import { toContribution } from '../../engine/parsing/aggregate/contribution.ts'
import type { Aggregation } from '../../engine/aggregations/aggregations.ts'
import type { Delivers } from '../../engine/declarations/declaration.ts'
import { byCodePoint } from '../../formats/values/by-code-point.ts'
import { formatDay } from '../../formats/values/period.ts'

/** The result of aggregating one delivery. */
export interface ParsedDelivery {
  receiveNumber: number
  metrics: readonly AggregatedMetric[]
}

/** One delivery's cells of a metric, by period. */
interface MetricByPeriod {
  receiveNumber: number
  aggregated: AggregatedMetric
  /** Cells by the period's first day. */
  cells: Map<number, number[]>
  /** The first days of the periods with an accepted row, counted or not. */
  touched: Set<number>
}

/**
 * The newest samples of several deliveries, in the order in which samples are read. A delivery may have hundreds of
 * thousands of cells, so only those of the newest periods are combined, and of them those with the first labels.
 */
export function newestSamples(
  delivers: Delivers,
  parsed: readonly ParsedDelivery[],
  samplesMax: number,
): { samples: CombinedSample[]; truncated: boolean } {
  const byMetric = new Map<string, MetricByPeriod[]>()
  for (const { receiveNumber, metrics } of parsed) {
    for (const aggregated of metrics) {
      const parts = byMetric.get(aggregated.metric) ?? []
      byMetric.set(aggregated.metric, [...parts, toPeriods(receiveNumber, aggregated)])
    }
  }
  const samples: CombinedSample[] = []
  for (const { metric, day } of newestPeriods(byMetric)) {
    if (samples.length > samplesMax) break
    const wanted = samplesMax + 1 - samples.length
    samples.push(...combinePeriod(delivers, byMetric.get(metric)!, day, wanted))
  }
  return { samples: samples.slice(0, samplesMax), truncated: samples.length > samplesMax }
}

function toPeriods(receiveNumber: number, aggregated: AggregatedMetric): MetricByPeriod {
  const { periods } = aggregated
  const cells = new Map<number, number[]>()
  for (let cell = 0; cell < aggregated.cells; cell++) {
    const day = periods.start(aggregated.getPeriod(cell))
    const inPeriod = cells.get(day)
    if (inPeriod === undefined) cells.set(day, [cell])
    else inPeriod.push(cell)
  }
  const touched = new Set(Array.from({ length: periods.size }, (_, number) => periods.start(number)))
  return { receiveNumber, aggregated, cells, touched }
}

/** Latest first; on the same day, by metric key. */
function newestPeriods(byMetric: ReadonlyMap<string, MetricByPeriod[]>): { metric: string; day: number }[] {
  const periods = [...byMetric].flatMap(([metric, parts]) => {
    const days = new Set(parts.flatMap(({ cells }) => [...cells.keys()]))
    return [...days].map((day) => ({ metric, day }))
  })
  return periods.toSorted((a, b) => b.day - a.day || byCodePoint(a.metric, b.metric))
}

/** The first samples of one metric and period, by their labels. */
function combinePeriod(
  delivers: Delivers,
  parts: readonly MetricByPeriod[],
  day: number,
  samplesMax: number,
): CombinedSample[] {
  const touching = parts.filter(({ touched }) => touched.has(day))
  // Of statements only the latest counts; if there are others, it is restated.
  const counting = delivers === 'events' ? touching : touching.slice(-1)
  const labels = firstLabels(counting, day, samplesMax)
  const { metric, aggregation } = parts[0]!.aggregated
  const deliveries = touching.map(({ receiveNumber, aggregated, cells }): AggregatedDelivery => {
    const wanted = (cells.get(day) ?? []).filter((cell) => labels.has(aggregated.getLabels(cell)))
    return {
      receiveNumber,
      sandbox: false,
      contributions: wanted.map((cell) => toContribution(aggregated, cell)),
      touched: [{ metric, periodStart: formatDay(day) }],
    }
  })
  const aggregationByMetric = new Map<string, Aggregation>([[metric, aggregation]])
  return combine(delivers, aggregationByMetric, deliveries)
}

function firstLabels(parts: readonly MetricByPeriod[], day: number, labelsMax: number): Set<string> {
  let labels = new Set<string>()
  /** Once there are enough: the last of them, after which none is needed. */
  let last: string | undefined
  const cut = (): void => {
    if (labels.size <= labelsMax) return
    const first = [...labels].toSorted(byCodePoint).slice(0, labelsMax)
    labels = new Set(first)
    last = first.at(-1)
  }
  for (const { aggregated, cells } of parts) {
    for (const cell of cells.get(day) ?? []) {
      const label = aggregated.getLabels(cell)
      if (last !== undefined && byCodePoint(label, last) > 0) continue
      labels.add(label)
      // Not after each one: sorting costs more than memory for a few more.
      if (labels.size > 2 * labelsMax + 1_000) cut()
    }
  }
  cut()
  return labels
}
