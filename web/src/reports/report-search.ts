import type { Grain } from '../language/format-day.ts'
import { type RawSearch, readDay, readOneOf, readText, readTexts } from '../ui/search-params.ts'
import { type RangeName, rangeNames } from './range.ts'

/** Of each label, the values that count; {@link ReportSearch.without} has those rows that lack it. */
type LabelFilters = Record<`where.${string}`, string[] | undefined>

/** What the address of a report says beside the company, the source and the metric. */
export interface ReportSearch extends LabelFilters {
  grain?: Grain | undefined
  range?: RangeName | undefined
  /** First and last day, in place of a range. */
  from?: string | undefined
  to?: string | undefined
  /** The label that the series are by. */
  by?: string | undefined
  /** Labels of which rows without a value count. */
  without?: string[] | undefined
  /** Without the year before. */
  year?: 'no' | undefined
  /** As it was known at this instant, RFC 3339. */
  as_of?: string | undefined
  sort?: string | undefined
  /** The first day of the period that is read out. */
  period?: string | undefined
  /** The first day of the period whose trace is open. */
  trace?: string | undefined
  /** The label's value whose trace is open, after {@link seriesId}, or {@link otherSeries}; all where there is none. */
  of?: string | undefined
}

const grains = ['day', 'week', 'month'] as const

/** A label's value as an address names it: rows without the label have an empty one, which an address leaves out. */
export function seriesId(key: string): string {
  return `.${key}`
}

/** All others together, as an address names them: no {@link seriesId}. */
export const otherSeries = 'other'

/** What {@link seriesId} was made of. */
export function keyOfSeries(id: string): string {
  return id.slice(1)
}

function readInstant(search: RawSearch): string | undefined {
  const value = readText(search, 'as_of')
  return value !== undefined && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined
}

function readFilters(search: RawSearch): LabelFilters {
  const filters: LabelFilters = {}
  for (const name of Object.keys(search)) {
    if (!name.startsWith('where.')) continue
    const values = readTexts(search, name)
    if (values.length > 0) filters[name as `where.${string}`] = values
  }
  return filters
}

export function parseReportSearch(search: RawSearch): ReportSearch {
  const [from, to] = [readDay(search, 'from'), readDay(search, 'to')]
  const hasDays = from !== undefined && to !== undefined && from <= to
  const without = readTexts(search, 'without')
  const read = {
    grain: readOneOf(search, 'grain', grains),
    range: hasDays ? undefined : readOneOf(search, 'range', rangeNames),
    from: hasDays ? from : undefined,
    to: hasDays ? to : undefined,
    by: readText(search, 'by'),
    without: without.length === 0 ? undefined : without,
    year: readOneOf(search, 'year', ['no']),
    as_of: readInstant(search),
    sort: readText(search, 'sort'),
    period: readDay(search, 'period'),
    trace: readDay(search, 'trace'),
    of: readText(search, 'of'),
  }
  const said = Object.entries(read).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(said), ...readFilters(search) }
}

/** The values that count, label by label; the empty one stands for rows without the label. */
export function filtersOf(search: ReportSearch): Record<string, string[]> {
  const filters: Record<string, string[]> = {}
  for (const [name, values] of Object.entries(search)) {
    if (name.startsWith('where.') && values !== undefined)
      filters[name.slice('where.'.length)] = [...(values as string[])]
  }
  for (const label of search.without ?? []) filters[label] = [...(filters[label] ?? []), '']
  return filters
}

/** The same address with other values of a label; none of them: all count. */
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

/** The same address without any of them. */
export function withoutFilters(search: ReportSearch): ReportSearch {
  return Object.keys(filtersOf(search)).reduce((left, label) => withFilter(left, label, []), search)
}
