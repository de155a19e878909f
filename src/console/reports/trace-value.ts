import { int8Array } from '../../platform/database/binary-array.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Company } from '../../people/companies/company.ts'
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { numberRows, toPage, type Page, type PageRequest } from '../../platform/http/pagination.ts'
import { readDay } from '../../platform/reads/read-window.ts'
import { aggregations } from '../../engine/aggregations/aggregations.ts'
import { formatDay, type Period } from '../../formats/values/period.ts'
import { toBasis, type ReportContext } from './list-reports.ts'
import {
  countAddedValues,
  countTracedCells,
  traceEvents,
  traceStatements,
  type TracedRow,
} from './trace-queries.ts'
import { findReportSource, toSubject } from './read-report.ts'
import {
  filterJson,
  lastInstant,
  metricParams,
  readRestated,
  readValues,
  type ValuesSubject,
} from './read-values.ts'
import { checkReportValue, getCombination, type ReportValueRequest } from '../values/report-value.ts'
import { formatRange, periodOfDay, type DayRange } from './report-periods.ts'

/** Samples of a value that can be traced, counting all labels of its days; with more it is 400. */
export const traceCellsMax = 20_000

/** A value of a report. */
export interface ValueTraceRequest extends PageRequest, ReportValueRequest {
  sourceId: string
  /** RFC 3339 in UTC. */
  asOf?: string | undefined
}

/** The contribution of one delivery. */
export interface TracedShare extends Omit<TracedRow, 'first_start' | 'last_start'> {
  covers: { from: string; to: string }
  /** For `count_distinct` of events: how many values no earlier delivery had. */
  added: number | null
}

export interface ValueTrace {
  grain: Period
  periodStart: string
  periodEnd: string
  value: string | null
  valueThen: string | null
  restated: boolean
  /** Latest first. */
  deliveries: Page<TracedShare>
}

/**
 * The deliveries behind one value of a report, with what each contributed and what of it counts [fold.artifact].
 *
 * @throws 400 with the field that is wrong, or the label that needs a single value; 404 if the company has no such source,
 *   the source no such metric, or no delivery contributed to the value
 */
export async function traceValue(
  context: Omit<ReportContext, 'cache'>,
  { companyId, timeZone }: Pick<Company, 'companyId' | 'timeZone'>,
  request: ValueTraceRequest,
): Promise<ValueTrace> {
  const { filter, except, asOf } = request
  const source = await findReportSource(context, companyId, request.sourceId)
  const subject = toSubject(companyId, source, request.metric)
  const { grain, firstDay } = checkReportValue([subject.metric], request)
  const period = periodOfDay(grain, firstDay)
  const page = numberRows(request)
  const based = { companyId, basis: toBasis(companyId, source), isSnapshot: true }
  return context.read(based, async (on) => {
    await checkCells(on, subject, period, { filter, except })
    const deliveries = await readDeliveries(on, subject, period, { ...page, filter, except, asOf })
    const values = { ...subject, filter, except, periods: [period] }
    const now = await readValues(on, values)
    const then = asOf === undefined ? undefined : await readValues(on, { ...values, asOf })
    const { start, end } = formatRange(period)
    return {
      grain,
      periodStart: start,
      periodEnd: end,
      value: JSON.parse(now.totals)[0],
      valueThen: then === undefined ? null : JSON.parse(then.totals)[0],
      restated: (await readRestated(on, { ...values, timeZone })).size > 0,
      deliveries,
    }
  })
}

/** @throws 404 if no delivery contributed to the value; 400 if too many samples are behind it */
async function checkCells(
  on: Queryable,
  subject: ValuesSubject,
  period: DayRange,
  { filter, except }: Pick<ValueTraceRequest, 'filter' | 'except'>,
): Promise<void> {
  const found = await countTracedCells.first(on, {
    ...metricParams(subject),
    where: filterJson(filter),
    except: filterJson(except),
    firstDay: formatDay(period.first),
    lastDay: formatDay(period.last),
    cellsMax: traceCellsMax,
  })
  if (found!.cells > traceCellsMax) {
    throw invalidArgument('Too many samples are behind this value: trace a shorter period.', 'grain')
  }
  if (!found!.matching) throw notFound()
}

interface DeliveriesRequest extends Pick<ValueTraceRequest, 'filter' | 'except' | 'asOf'> {
  before: string | null
  limit: number
}

async function readDeliveries(
  on: Queryable,
  subject: ValuesSubject,
  period: DayRange,
  request: DeliveriesRequest,
): Promise<Page<TracedShare>> {
  const { metric, delivers } = subject
  const { limit, asOf } = request
  const params = {
    ...metricParams(subject),
    combine: getCombination(metric) ?? 'max',
    where: filterJson(request.filter),
    except: filterJson(request.except),
    firstDay: formatDay(period.first),
    lastDay: formatDay(period.last),
    asOf: asOf ?? lastInstant,
    before: request.before ?? lastReceiveNumber,
    limit: limit + 1,
  }
  const trace = delivers === 'statements' ? traceStatements : traceEvents
  const page = toPage(await trace.rows(on, params), limit, (row) => row.receive_number)
  const { keeps } = aggregations[metric.aggregation]
  const countsAdded = delivers === 'events' && keeps === 'distinct_values'
  const receiveNumbers = int8Array(page.items.map((row) => row.receive_number))
  const counted = countsAdded ? await countAddedValues.rows(on, { ...params, receiveNumbers }) : []
  const added = new Map(counted.map((row) => [row.receive_number, row.added]))
  return {
    ...page,
    items: page.items.map(({ first_start, last_start, ...row }) => ({
      ...row,
      covers: {
        from: first_start,
        to: formatDay(periodOfDay(metric.period, readDay(last_start, 'period_start')).last),
      },
      counts_then: asOf === undefined ? null : row.counts_then,
      event_at: keeps === 'event_time' ? row.event_at : null,
      added: countsAdded ? (added.get(row.receive_number) ?? 0) : null,
    })),
  }
}

/** Above every receive number. */
const lastReceiveNumber = '9223372036854775807'
