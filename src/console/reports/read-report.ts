import type { Company } from '../../people/companies/company.ts'
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { toRenderedAnswer, type RenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { readWindow, windowDaysMax } from '../../platform/reads/read-window.ts'
import { formatDay, lastPeriodDay, type Period } from '../../formats/values/period.ts'
import { parseTimestamp } from '../../formats/values/timestamp.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Metric } from '../../engine/declarations/declaration.ts'
import { checkLabels, labelSentence } from '../values/report-value.ts'
import { toBasis, type ReportContext } from './list-reports.ts'
import { selectReportSource, type ReportSourceRow } from './queries.ts'
import type { SeriesRow } from './series-queries.ts'
import {
  checkGrain,
  listGrains,
  describeMetric,
  openLabels,
  type LabelFilter,
  getCombination,
} from './report-metric.ts'
import { daysYearBefore, formatRange, periodOfDay, periodsFrom, type DayRange } from './report-periods.ts'
import {
  countPeriodsCut,
  readRestated,
  readValues,
  reportCellsMax,
  seriesMax,
  toRestatement,
  vintageCellsMax,
  type ValuesSubject,
} from './read-values.ts'

/** The parameters of a metric's report. */
export interface ReportRequest {
  sourceId: string
  metric: string
  grain?: Period | undefined
  from?: string | undefined
  to?: string | undefined
  /** A label: one series for each of its values. */
  by?: string | undefined
  filter: LabelFilter
  /** Whether to compare with the same periods a year before. */
  yearBefore: boolean
  /** As it was known at this instant, RFC 3339 in UTC. */
  asOf?: string | undefined
}

/** A source for its reports. @throws 404 if the company has no such source */
export async function findReportSource(
  { pool }: Pick<ReportContext, 'pool'>,
  companyId: string,
  sourceId: string,
): Promise<ReportSourceRow> {
  const source = await selectReportSource.first(pool, { companyId, sourceId })
  if (source === undefined) throw notFound()
  return source
}

/** A metric of a source. @throws 404 if the source has no such metric */
export function toSubject(companyId: string, source: ReportSourceRow, key: string): ValuesSubject {
  const metric = source.metrics.find((each) => each.metric === key)
  if (metric === undefined) throw notFound()
  const { source_id: sourceId, projection_id: projectionId, delivers } = source
  return { companyId, sourceId, projectionId, delivers, metric }
}

/** @throws 400 with field `by` */
function checkBy(metric: Metric, by: string | undefined): void {
  if (by === undefined || metric.group_by.includes(by)) return
  throw invalidArgument(`The metric has no such label. ${labelSentence(metric)}`, 'by')
}

/**
 * The report of a metric as JSON: its exact values period by period, in total and by a label. Cached until the version of
 * the samples or the company's day changes.
 *
 * @throws 404 if the company has no such source, or the source no such metric; 400 with the field that is wrong
 */
export async function readReport(
  context: ReportContext,
  company: Pick<Company, 'companyId' | 'timeZone'>,
  request: ReportRequest,
): Promise<RenderedAnswer> {
  const { read, clock, cache } = context
  const { companyId, timeZone } = company
  const source = await findReportSource(context, companyId, request.sourceId)
  const subject = toSubject(companyId, source, request.metric)
  const grain = checkGrain(subject.metric, request.grain)
  checkBy(subject.metric, request.by)
  checkLabels(subject.metric, request.filter, 'where.')
  const today = companyDay(timeZone, clock.now())
  const { from, to, narrowed } = readWindow(request.from, request.to, today)
  const report = new Report({ ...request, subject, grain, timeZone, today, narrowed, from, to })
  const named = { source_name: source.name, time_zone: timeZone }
  const { yearBefore, by, asOf, filter, metric, sourceId } = request
  const key = JSON.stringify([
    [sourceId, source.projection_id, metric, grain, from, to, narrowed, today],
    [yearBefore, by, asOf, [...filter].toSorted(), named],
  ])
  return cache.get(key, source.samples_version, async () =>
    toRenderedAnswer(
      await read({ companyId, basis: toBasis(companyId, source), isSnapshot: true }, (on) =>
        report.read(on, named),
      ),
    ),
  )
}

type ReportOptions = Omit<ReportRequest, 'metric' | 'grain' | 'from' | 'to'> & {
  subject: ValuesSubject
  grain: Period
  timeZone: string
  /** Days counted from 1970-01-01. */
  today: number
  from: string
  to: string
  narrowed: boolean
}

/** A day of an address, counted from 1970-01-01. */
export function toDayNumber(text: string): number {
  const read = parseTimestamp(text)
  if (typeof read === 'string' || read.kind !== 'date') throw new TypeError('not a day')
  return read.day
}

/** A value as JSON, or null if it would be wrong. */
function onlyIf(isRight: boolean, json: string): string {
  return isRight ? json : 'null'
}

interface YearOfSeries {
  values: (string | null)[]
  row_total: string | null
  compared_total: string | null
}

const noSums = { row_total: null, compared_total: null }

/** Joins parts that are already JSON. */
class Report {
  readonly #options: ReportOptions
  /** Whether all labels combine to one value, and whether all but the label of the series do. */
  readonly #hasTotal: boolean
  readonly #choose: string[]
  readonly #combines: boolean
  readonly #cellsMax: number

  constructor(options: ReportOptions) {
    this.#options = options
    const { metric } = options.subject
    this.#combines = getCombination(metric) !== null
    const open = this.#combines ? [] : openLabels(metric, options.filter)
    this.#hasTotal = open.length === 0
    this.#cellsMax = options.asOf === undefined ? reportCellsMax : vintageCellsMax
    this.#choose = open.filter((label) => label !== options.by)
  }

  async read(on: Queryable, named: { source_name: string; time_zone: string }): Promise<string> {
    const { subject, grain, from, to, filter, asOf, by } = this.#options
    const all = periodsFrom(grain, toDayNumber(from), toDayNumber(to) - 1)
    const cut = await countPeriodsCut(on, subject, all, this.#cellsMax)
    const periods = all.slice(cut)
    const now = { ...subject, filter, periods }
    const year = await this.#findYearBefore(on, periods)
    const read = await readValues(on, { ...now, asOf, by, yearBefore: year.days })
    const parts = {
      head: JSON.stringify(this.#head(named, periods, cut > 0)).slice(0, -1),
      labels: read.labels,
      periods: await this.#readPeriods(on, periods, read),
      ...this.#seriesParts(read),
      totals: onlyIf(this.#hasTotal, read.totals),
      row_total: onlyIf(this.#hasTotal && this.#sums(periods), read.row_total),
      year_before: this.#yearBefore(year.days, read),
      vintage_today: asOf === undefined ? 'null' : this.#toTotals(await readValues(on, now), periods),
      complete: String(cut === 0 && year.complete),
    }
    const { head, ...rest } = parts
    return `${head},${Object.entries(rest)
      .map(([name, json]) => `"${name}":${json}`)
      .join(',')}}`
  }

  /** Whether the values of these periods combine; a single one always does. */
  #sums(periods: readonly unknown[]): boolean {
    return this.#combines || periods.length <= 1
  }

  #head(named: { source_name: string; time_zone: string }, periods: readonly DayRange[], isCut: boolean) {
    const { subject, grain, from, to, narrowed, today, asOf, by, filter } = this.#options
    const { sourceId, metric } = subject
    const [first, last] = [periods[0], periods.at(-1)]
    return {
      source_id: sourceId,
      source_name: named.source_name,
      metric: metric.metric,
      ...describeMetric(metric),
      aggregation: metric.aggregation,
      combines: getCombination(metric),
      period: metric.period,
      grain,
      grains: listGrains(metric),
      today: formatDay(today),
      time_zone: named.time_zone,
      window: {
        from: first === undefined ? from : formatDay(first.first),
        to: last === undefined ? to : formatDay(Math.min(last.last + 1, lastPeriodDay)),
        max_days: windowDaysMax,
        narrowed: narrowed || isCut,
      },
      as_of: asOf ?? null,
      by: by ?? null,
      where: Object.fromEntries(filter),
      choose: this.#choose,
    }
  }

  async #readPeriods(on: Queryable, periods: readonly DayRange[], read: SeriesRow): Promise<string> {
    const { subject, today, timeZone, filter, asOf } = this.#options
    const restated = await readRestated(on, { ...subject, filter, periods, asOf, timeZone })
    const totals: (string | null)[] | undefined = this.#hasTotal ? JSON.parse(read.totals) : undefined
    return JSON.stringify(
      periods.map((period, place) => ({
        ...formatRange(period),
        finished: period.last < today,
        known: read.known_to[place] !== null,
        known_to: this.#toLastDay(read.known_to[place]!),
        restated: toRestatement(restated.get(place), totals?.[place]),
        restated_at: restated.get(place)?.restated_at ?? null,
        was: this.#hasTotal ? (restated.get(place)?.was ?? null) : null,
      })),
    )
  }

  /** The last day of a period of the metric. */
  #toLastDay(start: string | null): string | null {
    const { metric } = this.#options.subject
    return start === null ? null : formatDay(periodOfDay(metric.period, toDayNumber(start)).last)
  }

  #seriesParts(read: SeriesRow): { series: string; other: string; left_out: string } {
    if (this.#choose.length > 0) return { series: '[]', other: 'null', left_out: '0' }
    const further = Math.max(0, read.keys - seriesMax)
    const { metric } = this.#options.subject
    // For values that cannot be added, a value for the rest would be mistaken for a sum.
    if (further === 0 || getCombination(metric) !== 'sum') {
      return { series: this.#seriesRows(read), other: 'null', left_out: String(further) }
    }
    const other = `{"values":${read.other_values},"row_total":${read.other_row_total},"year_before":${read.other_year_before},"label_values":${further}}`
    return { series: this.#seriesRows(read), other, left_out: '0' }
  }

  /** If values of several periods do not combine, no row has a total. */
  #seriesRows(read: SeriesRow): string {
    if (this.#combines) return read.series
    const rows: { row_total: string | null; values: unknown[]; year_before: YearOfSeries | null }[] =
      JSON.parse(read.series)
    return JSON.stringify(
      rows.map((row) =>
        this.#sums(row.values)
          ? row
          : { ...row, row_total: null, year_before: row.year_before && { ...row.year_before, ...noSums } },
      ),
    )
  }

  /** The days that each period is compared with; none without a comparison. */
  async #findYearBefore(
    on: Queryable,
    periods: readonly DayRange[],
  ): Promise<{ days: (DayRange | undefined)[]; complete: boolean }> {
    const { subject, grain, yearBefore, asOf, today, timeZone } = this.#options
    if (!yearBefore) return { days: [], complete: true }
    // At an earlier moment fewer days had passed.
    const until = asOf === undefined ? today : Math.min(today, companyDay(timeZone, Date.parse(asOf)))
    const hasDays = subject.metric.period === 'day'
    const before = periods.map((period) => daysYearBefore(grain, period, until, hasDays))
    const found = before.filter((period) => period !== undefined)
    const cut = await countPeriodsCut(on, subject, found, this.#cellsMax)
    const oldest = found[cut]?.first ?? 0
    const days = before.map((period) =>
      cut > 0 && period !== undefined && period.first < oldest ? undefined : period,
    )
    return { days, complete: cut === 0 }
  }

  #yearBefore(days: readonly (DayRange | undefined)[], read: SeriesRow): string {
    const year: YearOfSeries | null = JSON.parse(read.year_before)
    if (year === null) return 'null'
    const { values, ...sums } = year
    const ranges = days.map((range) => range && formatRange(range))
    return JSON.stringify({
      starts: ranges.map((range) => range?.start ?? null),
      ends: ranges.map((range) => range?.end ?? null),
      compared: this.#hasTotal ? read.compared : null,
      totals: this.#hasTotal ? values : null,
      ...(this.#hasTotal && this.#sums(values) ? sums : noSums),
    })
  }

  #toTotals(read: SeriesRow, periods: readonly unknown[]): string {
    const totals = onlyIf(this.#hasTotal, read.totals)
    const rowTotal = onlyIf(this.#hasTotal && this.#sums(periods), read.row_total)
    return `{"totals":${totals},"row_total":${rowTotal}}`
  }
}
