import type { Queryable } from '../../platform/database/pool.ts'
import { formatDay, periodStart } from '../../formats/values/period.ts'
import { parseTimestamp } from '../../formats/values/timestamp.ts'
import { findLatestPeriod } from './queries.ts'
import { getCardGrain, getCombination, describeMetric, openLabels } from './report-metric.ts'
import {
  daysYearBefore,
  lastPeriods,
  periodBefore,
  periodOfDay,
  periodYearBefore,
  type DayRange,
} from './report-periods.ts'
import {
  countPeriodsCut,
  metricParams,
  readRestated,
  readValues,
  toRestatement,
  type Restatement,
  type ValuesSubject,
} from './read-values.ts'

/** Periods of a card's sparkline, including the current one. */
const sparklinePeriods = 13
/** Age up to which a card shows restatements, in days. */
export const restatedRecentDays = 45
const dayMs = 86_400_000

interface PeriodValue {
  period_start: string
  value: string | null
}

/** The part of a card that is valid until the version of the samples or the day changes. */
export interface MetricCard {
  metric: string
  name: string
  unit: string
  aggregation: string
  combines: string | null
  period: string
  grain: string
  total: boolean
  latest: (PeriodValue & { restated: Restatement }) | null
  previous: PeriodValue | null
  year_before: PeriodValue | null
  /** With the same days a year before. */
  unfinished: PeriodValue & { year_before: (PeriodValue & { to: string }) | null }
  sparkline: (PeriodValue & { finished: boolean })[]
  complete: boolean
  restated_periods: { period_start: string; restated_at: string }[]
}

/**
 * The card of a metric: its last finished period, those it is compared with, and its last periods.
 *
 * @param today the company's day, counted from 1970-01-01
 */
export async function readMetricCard(
  on: Queryable,
  subject: ValuesSubject,
  { today, timeZone }: { today: number; timeZone: string },
): Promise<MetricCard> {
  const { metric } = subject
  const grain = getCardGrain(metric)
  const recent = lastPeriods(grain, today, sparklinePeriods)
  const cut = await countPeriodsCut(on, subject, recent)
  const latest = await latestFinished(on, subject, today)
  const compared = [
    latest,
    latest && periodBefore(grain, latest),
    latest && periodYearBefore(grain, latest),
    daysYearBefore(grain, recent.at(-1)!, today, metric.period === 'day'),
  ] as const
  const sparkline = recent.map((period, place) => (place < cut ? undefined : period))
  const request = { ...subject, timeZone, filter: new Map(), periods: [...sparkline, ...compared] }
  const { totals } = await readValues(on, request)
  const restated = await readRestated(on, request)
  const total = getCombination(metric) !== null || openLabels(metric, new Map()).length === 0
  const values: (string | null)[] = JSON.parse(totals)
  const valueAt = (place: number): string | null => (total ? (values[place] ?? null) : null)
  const periodValue = (place: number, period: DayRange | undefined): PeriodValue | null =>
    period === undefined ? null : { period_start: formatDay(period.first), value: valueAt(place) }
  const [latestPlace, previousPlace, yearPlace, sameDaysPlace] = [0, 1, 2, 3].map(
    (place) => recent.length + place,
  )
  const ofLatest = periodValue(latestPlace!, compared[0])
  const sameDays = periodValue(sameDaysPlace!, compared[3])
  return {
    metric: metric.metric,
    ...describeMetric(metric),
    aggregation: metric.aggregation,
    combines: getCombination(metric),
    period: metric.period,
    grain,
    total,
    latest: ofLatest && {
      ...ofLatest,
      restated: toRestatement(restated.get(latestPlace!), total ? ofLatest.value : undefined),
    },
    previous: periodValue(previousPlace!, compared[1]),
    year_before: periodValue(yearPlace!, compared[2]),
    unfinished: {
      ...periodValue(recent.length - 1, recent.at(-1))!,
      year_before: sameDays && { ...sameDays, to: formatDay(compared[3]!.last) },
    },
    sparkline: recent.map((period, place) => ({
      ...periodValue(place, period)!,
      finished: period.last < today,
    })),
    complete: cut === 0,
    restated_periods: recentlyCorrected(recent, restated, { today, values: total ? values : undefined }),
  }
}

async function latestFinished(
  on: Queryable,
  subject: ValuesSubject,
  today: number,
): Promise<DayRange | undefined> {
  const grain = getCardGrain(subject.metric)
  const before = formatDay(periodStart(grain, today))
  const found = await findLatestPeriod.first(on, { ...metricParams(subject), before })
  const read = found && parseTimestamp(found.period_start)
  return read !== undefined && typeof read !== 'string' && read.kind === 'date'
    ? periodOfDay(grain, read.day)
    : undefined
}

function recentlyCorrected(
  recent: readonly DayRange[],
  restated: Awaited<ReturnType<typeof readRestated>>,
  { today, values }: { today: number; values: (string | null)[] | undefined },
): MetricCard['restated_periods'] {
  const earliestMs = (today - restatedRecentDays) * dayMs
  return recent.flatMap(({ first, last }, place) => {
    const row = restated.get(place)
    if (row === undefined || toRestatement(row, values?.[place]) !== 'corrected') return []
    if (last >= today || row.restated_at.getTime() < earliestMs) return []
    return [{ period_start: formatDay(first), restated_at: row.restated_at.toISOString() }]
  })
}
