import { dateArray, textArray, timestamptzArray } from '../../platform/database/binary-array.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Delivers, Metric } from '../../engine/declarations/declaration.ts'
import { endOfDay } from '../../platform/reads/company-day.ts'
import { formatDay, lastPeriodDay } from '../../formats/values/period.ts'
import { findCellsCut, type MetricParams } from './queries.ts'
import { getCombination, type LabelFilter } from './report-metric.ts'
import type { DayRange } from './report-periods.ts'
import { readRestatements, type RestatementRow } from './restatement-queries.ts'
import {
  readEventsSeriesAsOf,
  readSeries,
  readStatementsSeriesAsOf,
  type ReportParams,
  type SeriesRow,
} from './series-queries.ts'

/** Series of a report; the others are combined into one, if they may be added. */
export const seriesMax = 8
/** Values that are listed for a label. */
export const labelValuesMax = 100
/** Cells that a report counts; with more, the oldest periods are left out and `complete` is false. */
export const reportCellsMax = 200_000
/** The same for a report as of an earlier instant, which looks up the contributions of each cell. */
export const vintageCellsMax = 100_000

/** The production samples of one metric of one source. */
export interface ValuesSubject {
  companyId: string
  sourceId: string
  projectionId: number
  delivers: Delivers
  metric: Metric
}

interface ValuesRequest extends ValuesSubject {
  /** In the order of the answer; undefined for a period that does not exist. */
  periods: readonly (DayRange | undefined)[]
  filter: LabelFilter
  /** Values that are excluded. */
  except?: LabelFilter | undefined
  /** As known at this instant, RFC 3339; undefined for the present. */
  asOf?: string | undefined
}

/** The statement parameters of a metric. */
export function metricParams(subject: ValuesSubject): MetricParams {
  const { companyId, sourceId, projectionId, metric } = subject
  return { companyId, sourceId, projectionId, metric: metric.metric }
}

/** A label filter as a statement parameter. */
export function filterJson(filter: LabelFilter): string {
  return JSON.stringify(Object.fromEntries(filter))
}

function reportParams(request: ValuesRequest): ReportParams {
  const { periods, metric, filter, except = new Map() } = request
  return {
    ...metricParams(request),
    firstDays: dateArray(periods.map((period) => (period === undefined ? null : formatDay(period.first)))),
    lastDays: dateArray(periods.map((period) => (period === undefined ? null : formatDay(period.last)))),
    // The maximum of a single value is the value.
    combine: getCombination(metric) ?? 'max',
    where: filterJson(filter),
    except: filterJson(except),
  }
}

/**
 * The exact values of periods, in total and by a label. If values do not combine, only those of a single cell are right,
 * and the caller leaves out the others.
 */
export async function readValues(
  on: Queryable,
  request: ValuesRequest & {
    by?: string | undefined
    /** The year before of each period, at the same place; undefined where there is none. */
    yearBefore?: readonly (DayRange | undefined)[]
  },
): Promise<SeriesRow> {
  const { asOf, delivers, metric, by = null, periods, yearBefore = [] } = request
  const params = {
    ...reportParams({ ...request, periods: [...periods, ...yearBefore] }),
    by,
    shownPeriods: Math.max(1, periods.length),
    labels: textArray(metric.group_by),
    seriesMax,
    labelValuesMax,
  }
  if (asOf === undefined) return (await readSeries.first(on, params))!
  if (delivers === 'statements') return (await readStatementsSeriesAsOf.first(on, { ...params, asOf }))!
  const { aggregation } = metric
  return (await readEventsSeriesAsOf.first(on, { ...params, asOf, aggregation }))!
}

/** Later than every instant. */
export const lastInstant = '9999-12-31T23:59:59.999Z'

/** The restated periods, by their place in the request; none for an events source [fold.statements]. */
export async function readRestated(
  on: Queryable,
  request: ValuesRequest & { timeZone: string },
): Promise<ReadonlyMap<number, RestatementRow>> {
  if (request.delivers !== 'statements') return new Map()
  const asOf = request.asOf ?? lastInstant
  const endInstants = timestamptzArray(
    request.periods.map((period) =>
      period === undefined ? null : endOfDay(request.timeZone, Math.min(period.last, lastPeriodDay - 1)),
    ),
  )
  const rows = await readRestatements.rows(on, { ...reportParams(request), asOf, endInstants })
  return new Map(rows.map((row) => [Number(row.place) - 1, row]))
}

/**
 * How many of the oldest periods lie beyond the newest `cellsMax` cells and are left out. The newest one with a cell never
 * is.
 */
export async function countPeriodsCut(
  on: Queryable,
  subject: ValuesSubject,
  periods: readonly DayRange[],
  cellsMax = reportCellsMax,
): Promise<number> {
  if (periods.length === 0) return 0
  const [from, to] = [formatDay(periods[0]!.first), formatDay(periods.at(-1)!.last)]
  const found = await findCellsCut.first(on, {
    ...metricParams(subject),
    from,
    to,
    cellsMax,
  })
  const { cut, newest } = found!
  if (cut === null || newest === null) return 0
  // A year before, a leap day may lie between the periods.
  const toPlace = (day: string): number => periods.filter(({ first }) => formatDay(first) <= day).length - 1
  const place = toPlace(cut)
  return toPlace(newest) === place ? place : place + 1
}

export type Restatement = 'grew' | 'corrected' | null

/**
 * Whether a period was corrected after it had ended, or only grew while it ran: a statement that says the same again is no
 * correction.
 *
 * @param total its total; undefined where its labels do not combine
 */
export function toRestatement(
  row: RestatementRow | undefined,
  total: string | null | undefined,
): Restatement {
  if (row === undefined) return null
  return row.is_corrected && row.completed !== total ? 'corrected' : 'grew'
}
