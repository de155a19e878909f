import type { Grain } from '../../language/format-day.ts'
import { type RawSearch, readDay, readOneOf, readText, readTexts } from '../../ui/search-params.ts'

/**
 * The query of an evidence's address. Values of labels begin with a point there, since an address leaves out empty ones;
 * `label.<name>` are those that count, `not.<name>` those that do not.
 */
export interface EvidenceSearch extends Record<`${'label' | 'not'}.${string}`, string[] | undefined> {
  /** The first day of the period. */
  trace?: string | undefined
  grain?: Grain | undefined
  /** RFC 3339; added when the page is first opened. */
  as_of?: string | undefined
}

export function parseEvidenceSearch(search: RawSearch): EvidenceSearch {
  const labels = Object.keys(search)
    .filter((name) => name.startsWith('label.') || name.startsWith('not.'))
    .map((name) => [name, readTexts(search, name).filter((value) => value.startsWith('.'))])
  return {
    ...Object.fromEntries(labels),
    trace: readDay(search, 'trace'),
    grain: readOneOf(search, 'grain', ['day', 'week', 'month']),
    as_of: readText(search, 'as_of'),
  }
}

/** The labels of an address as a query of the API. */
export function toLabelQuery(search: EvidenceSearch): Record<string, string[]> {
  const labels = Object.entries(search).filter(([name]) => /^(?:label|not)\./.test(name))
  return Object.fromEntries(
    labels.map(([name, values]) => [name, (values as string[]).map((value) => value.slice(1))]),
  )
}

function toMembers(prefix: 'label' | 'not', labels: Record<string, string[]>): [string, string[]][] {
  return Object.entries(labels).map(([name, values]) => [
    `${prefix}.${name}`,
    values.map((value) => `.${value}`),
  ])
}

/** The address of a traced figure, from what its trace names. */
export function toEvidenceSearch(trace: {
  period_start: string
  grain: Grain
  labels: Record<string, string[]>
  except: Record<string, string[]>
  as_of: string | null
}): EvidenceSearch {
  return {
    trace: trace.period_start,
    grain: trace.grain,
    ...Object.fromEntries([...toMembers('label', trace.labels), ...toMembers('not', trace.except)]),
    as_of: trace.as_of ?? undefined,
  }
}
