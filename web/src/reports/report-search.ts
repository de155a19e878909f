import type { Grain } from '../language/format-day.ts'
import { type RawSearch, readDay, readOneOf, readText, readTexts } from '../ui/search-params.ts'
import { type RangeName, rangeNames } from './range.ts'

/** The values of each label that count; {@link ReportSearch.without} adds rows that lack the label. */
type LabelFilters = Record<`where.${string}`, string[] | undefined>

/** The query of a report's address. */
export interface ReportSearch extends LabelFilters {
  grain?: Grain | undefined
  range?: RangeName | undefined
  /** First and last day, instead of a range. */
  from?: string | undefined
  to?: string | undefined
  /** The label of the series. */
  by?: string | undefined
  /** Labels of which rows without a value count. */
  without?: string[] | undefined
  /** Hides the year before. */
  year?: 'no' | undefined
  /** Shows the figures as known at this instant, RFC 3339. */
  as_of?: string | undefined
  sort?: string | undefined
  /** The first day of the period that is read out. */
  period?: string | undefined
  /** The first day of the period whose trace is open. */
  trace?: string | undefined
  /** The series whose trace is open, as {@link toSeriesId} or {@link otherSeries}; without it all together. */
  of?: string | undefined
  /** Of the open trace: the delivery whose rows are compared, with which one, and the fields that match them. */
  changed?: string | undefined
  against?: string | undefined
  key?: string[] | undefined
}

/** The series of a label's value in an address, which leaves out empty values. */
export function toSeriesId(key: string): string {
  return `.${key}`
}

/** All others together in an address; no {@link toSeriesId}. */
export const otherSeries = 'other'

/** The label's value of a {@link toSeriesId}. */
export function toSeriesKey(id: string): string {
  return id.slice(1)
}

function readInstant(search: RawSearch): string | undefined {
  const value = readText(search, 'as_of')
  return value !== undefined && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined
}

function readFilters(search: RawSearch): LabelFilters {
  const names = Object.keys(search).filter((name) => name.startsWith('where.'))
  return Object.fromEntries(names.map((name) => [name, readTexts(search, name)]))
}

export function parseReportSearch(search: RawSearch): ReportSearch {
  const [from, to] = [readDay(search, 'from'), readDay(search, 'to')]
  const hasDays = from !== undefined && to !== undefined && from <= to
  const read = {
    ...readFilters(search),
    grain: readOneOf(search, 'grain', ['day', 'week', 'month']),
    range: hasDays ? undefined : readOneOf(search, 'range', rangeNames),
    from: hasDays ? from : undefined,
    to: hasDays ? to : undefined,
    by: readText(search, 'by'),
    without: readTexts(search, 'without'),
    year: readOneOf(search, 'year', ['no']),
    as_of: readInstant(search),
    sort: readText(search, 'sort'),
    period: readDay(search, 'period'),
    trace: readDay(search, 'trace'),
    of: readText(search, 'of'),
    changed: readText(search, 'changed'),
    against: readText(search, 'against'),
    key: readTexts(search, 'key'),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value?.length)) as ReportSearch
}

/** The filtered values by label; an empty one means rows without the label. */
export function getFilters(search: ReportSearch): Record<string, string[]> {
  const filters: Record<string, string[]> = {}
  for (const [name, values] of Object.entries(search)) {
    if (name.startsWith('where.') && values !== undefined)
      filters[name.slice('where.'.length)] = [...(values as string[])]
  }
  for (const label of search.without ?? []) filters[label] = [...(filters[label] ?? []), '']
  return filters
}

/** The same address with other values of a label; without any, all count. */
export function withFilter(search: ReportSearch, label: string, values: readonly string[]): ReportSearch {
  const without = (search.without ?? []).filter((other) => other !== label)
  if (values.includes('')) without.push(label)
  const named = values.filter((value) => value !== '')
  return {
    ...search,
    [`where.${label}`]: named.length === 0 ? undefined : named,
    without: without.length === 0 ? undefined : without,
  }
}

/** The same address without filters. */
export function withoutFilters(search: ReportSearch): ReportSearch {
  return Object.keys(getFilters(search)).reduce((left, label) => withFilter(left, label, []), search)
}
