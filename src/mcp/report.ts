/** Reads of a metric's report, as the pages show it. */
import { Type } from 'typebox'
import { readReport, type ReportRequest } from '../console/reports/read-report.ts'
import { formatDay } from '../formats/values/period.ts'
import { companyDay } from '../platform/reads/company-day.ts'
import { readDay } from '../platform/reads/read-window.ts'
import {
  aboutCompany,
  answered,
  openReports,
  orNull,
  text,
  toAsOf,
  toLabelFilter,
  type ToolCall,
} from './tool.ts'

/** What is used of a report (`console/reports/contract.ts`). */
export interface Report {
  source_name: string
  metric: string
  unit: string
  aggregation: string
  combines: string | null
  grain: string
  window: { from: string; to: string; narrowed: boolean }
  choose: string[]
  periods: { start: string; end: string; finished: boolean; restated: string | null }[]
  series: { key: string | null; values: (string | null)[]; row_total: string | null }[]
  other: { values: (string | null)[]; row_total: string | null; label_values: number } | null
  left_out: number
  totals: (string | null)[] | null
  row_total: string | null
  complete: boolean
}

/** What every answer about a metric says of it. */
export const measured = {
  ...answered,
  source_id: text('The source.'),
  source: text('Its name, as data.'),
  metric: text('Key of the metric.'),
  unit: orNull(text('Unit of the values; null if it is not known.')),
  aggregation: text('How it counts.'),
  adds_up: Type.Boolean({ description: 'Whether values of several periods or labels are added here.' }),
  must_choose: Type.Array(Type.String(), {
    description:
      'Labels whose values are never added: values are null until `labels` names one value of each.',
  }),
  complete: Type.Boolean({
    description: 'False: there is more than is counted, and the oldest was left out.',
  }),
}

/** How many days are read where `from` is not given. */
export const defaultDays = 92

export interface MetricArgs {
  orgnr?: string
  source_id?: string
  metric: string
  by?: ReportRequest['grain']
  labels?: { name: string; value: string }[]
  as_of?: string
}

export interface Days {
  from?: string | undefined
  to?: string | undefined
}

/** The days that were read. */
export function toDays({ window: { from, to, narrowed } }: Report) {
  return { from, to, narrowed }
}

/** The metric of the arguments, to be read for several ranges of days. @throws ApiError as the report of the pages does */
export async function openMetric(call: ToolCall, args: MetricArgs, splitBy?: string) {
  const opened = await openReports(call, args)
  const { company, source, reports } = opened
  const { asOf, as_of: shownAsOf } = toAsOf(call, args.as_of)

  const read = async ({ from, to }: Days): Promise<Report> => {
    const end =
      to === undefined ? companyDay(company.timeZone, call.context.clock.now()) + 1 : readDay(to, 'to')
    const { bytes } = await readReport(reports, company, {
      sourceId: source.sourceId,
      metric: args.metric,
      grain: args.by,
      from: from ?? formatDay(end - defaultDays),
      to,
      by: splitBy,
      filter: toLabelFilter(args.labels),
      yearBefore: false,
      asOf,
    })
    return JSON.parse(bytes.toString())
  }

  const describe = (report: Report) => {
    const { from, to } = report.window
    const search = new URLSearchParams({ grain: report.grain, from, to: formatDay(readDay(to, 'to') - 1) })
    if (asOf !== undefined) search.set('as_of', asOf)
    if (splitBy !== undefined) search.set('by', splitBy)
    for (const { name, value } of args.labels ?? []) search.append(`where.${name}`, value)
    const path = `/reports/${source.sourceId}/${encodeURIComponent(report.metric)}?${search}`
    return {
      ...aboutCompany(call, opened, shownAsOf, path),
      source_id: source.sourceId,
      source: report.source_name,
      metric: report.metric,
      unit: report.unit || null,
      aggregation: report.aggregation,
      adds_up: report.combines === 'sum',
      must_choose: report.choose,
      complete: report.complete,
    }
  }
  return { read, describe }
}
