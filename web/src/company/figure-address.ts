import { type RawSearch, readDay, readOneOf, readText, readTexts } from '../ui/search-params.ts'

type LabelName = `label.${string}` | `not.${string}`

/** A figure as the API names it. */
export interface FigureQuery {
  metric: string
  period_start: string
  grain?: 'day' | 'week' | 'month'
  /** Labels: a list of values for each name, where an empty one means rows without the label. */
  [label: LabelName]: string[]
}

/** The same in an address, which leaves out empty values: labels of which rows without a value count have names. */
export interface FigureSearch {
  metric?: string | undefined
  period?: string | undefined
  grain?: 'day' | 'week' | 'month' | undefined
  without?: string[] | undefined
  with?: string[] | undefined
  [label: LabelName]: string[] | undefined
}

function isLabel(name: string): name is LabelName {
  return name.startsWith('label.') || name.startsWith('not.')
}

function labelsOf(query: object): [LabelName, string[]][] {
  return Object.entries(query).filter((entry): entry is [LabelName, string[]] => isLabel(entry[0]))
}

export function toFigureSearch(query: FigureQuery): FigureSearch {
  const search: FigureSearch = { metric: query.metric, period: query.period_start, grain: query.grain }
  for (const [name, values] of labelsOf(query)) {
    search[name] = values.filter((value) => value !== '')
    if (!values.includes('')) continue
    const list = name.startsWith('label.') ? 'without' : 'with'
    search[list] = [...(search[list] ?? []), name.replace(/^\w+\./, '')]
  }
  return search
}

export function parseFigureSearch(search: RawSearch): FigureSearch {
  const labels = Object.keys(search)
    .filter(isLabel)
    .map((name) => [name, readTexts(search, name)] as const)
  return {
    ...Object.fromEntries(labels),
    metric: readText(search, 'metric'),
    period: readDay(search, 'period'),
    grain: readOneOf(search, 'grain', ['day', 'week', 'month']),
    without: readTexts(search, 'without'),
    with: readTexts(search, 'with'),
  }
}

/** The figure of an address; undefined where it names none. */
export function toFigureQuery(search: FigureSearch): FigureQuery | undefined {
  const { metric, period, grain } = search
  if (metric === undefined || period === undefined) return undefined
  const query: FigureQuery = { metric, period_start: period, ...(grain !== undefined && { grain }) }
  for (const [name, values] of labelsOf(search)) if (values.length > 0) query[name] = values
  const addEmpty = (name: LabelName): void => {
    query[name] = [...(query[name] ?? []), '']
  }
  for (const label of search.without ?? []) addEmpty(`label.${label}`)
  for (const label of search.with ?? []) addEmpty(`not.${label}`)
  return query
}
