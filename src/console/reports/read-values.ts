import { dateArray, textArray } from '../../platform/database/binary-array.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Delivers, Metric } from '../../engine/declarations/declaration.ts'
import { formatDay } from '../../formats/values/period.ts'
import { findCellsCut, type MetricParams } from './queries.ts'
import { combinationOf, type LabelFilter } from './report-metric.ts'
import type { DayRange } from './report-periods.ts'
import {
  readEventsSeriesAsOf,
  readRestatements,
  readSeries,
  readStatementsSeriesAsOf,
  type ReportParams,
  type RestatementRow,
  type SeriesRow,
} from './series-queries.ts'

/** Series of a report; what there is beyond them comes as one, where it may be added. */
export const seriesMax = 8
/** Values that are listed of a label; further ones are not. */
export const labelValuesMax = 100
/** Cells that a report counts; of more the oldest periods are left out, and `complete` is false. */
export const reportCellsMax = 200_000
/** Likewise of a report as of an earlier instant, which looks up what deliveries said of each cell. */
export const vintageCellsMax = 100_000

/** What is read: production samples of one metric of one source. */
export interface ValuesSubject {
  companyId: string
  sourceId: string
  projectionId: number
  delivers: Delivers
  metric: Metric
}

interface ValuesRequest extends ValuesSubject {
  /** In the order of the answer; undefined for one that there is not. */
  periods: readonly (DayRange | undefined)[]
  filter: LabelFilter
  /** Values that do not count. */
  except?: LabelFilter | undefined
  /** As it was known at this instant, RFC 3339; undefined: now. */
  asOf?: string | undefined
}

/** The parameters of a metric. */
export function metricParams(subject: ValuesSubject): MetricParams {
  const { companyId, sourceId, projectionId, metric } = subject
  return { companyId, sourceId, projectionId, metric: metric.metric }
}

/** A label filter as statements take it. */
export function filterJson(filter: LabelFilter): string {
  return JSON.stringify(Object.fromEntries(filter))
}

function reportParams(request: ValuesRequest): ReportParams {
  const { periods, metric, filter, except = new Map() } = request
  return {
    ...metricParams(request),
    firstDays: dateArray(periods.map((period) => (period === undefined ? null : formatDay(period.first)))),
    lastDays: dateArray(periods.map((period) => (period === undefined ? null : formatDay(period.last)))),
    // A single value is the greatest of itself.
    combine: combinationOf(metric) ?? 'max',
    where: filterJson(filter),
    except: filterJson(except),
  }
}

/**
 * The values of periods, in all and by a label, each exact. Where values do not come to one, only what is of a single cell
 * is right: the caller leaves out the rest.
 */
export async function readValues(
  on: Queryable,
  request: ValuesRequest & { by?: string | undefined },
): Promise<SeriesRow> {
  const { asOf, delivers, metric, by = null } = request
  const params = {
    ...reportParams(request),
    by,
    labels: textArray(metric.group_by),
    seriesMax,
    labelValuesMax,
  }
  if (asOf === undefined) return (await readSeries.first(on, params))!
  if (delivers === 'statements') return (await readStatementsSeriesAsOf.first(on, { ...params, asOf }))!
  const { aggregation } = metric
  return (await readEventsSeriesAsOf.first(on, { ...params, asOf, aggregation }))!
}

/** After everything. */
export const lastInstant = '9999-12-31T23:59:59.999Z'

/** The restated periods, by their place in the request; none of an events source [fold.statements]. */
export async function readRestated(
  on: Queryable,
  request: ValuesRequest,
): Promise<ReadonlyMap<number, RestatementRow>> {
  if (request.delivers !== 'statements') return new Map()
  const asOf = request.asOf ?? lastInstant
  const rows = await readRestatements.rows(on, { ...reportParams(request), asOf })
  return new Map(rows.map((row) => [Number(row.place) - 1, row]))
}

/**
 * How many of the oldest of some periods lie behind the newest `cellsMax` cells, and are not to be counted. The newest
 * one of which there is something always is.
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
  // Between the periods a year before there may be a leap day that is in none.
  const toPlace = (day: string): number => periods.filter(({ first }) => formatDay(first) <= day).length - 1
  const place = toPlace(cut)
  return toPlace(newest) === place ? place : place + 1
}
