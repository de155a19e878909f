import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { type ApiResponse, renewFromApi, type Tagged } from '../../api/call-api.ts'
import { companyKey } from '../../company/lists.ts'
import { renewedEveryMs } from '../../company/report-list.ts'
import { addDays, type Grain } from '../../language/format-day.ts'
import { getDays, type Report, type ReportId } from '../report-queries.ts'
import type { ReportSearch } from '../report-search.ts'
import type { LabelNames } from '../value-names.ts'

const readAnnotations = 'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/annotations'

export type Annotations = ApiResponse<typeof readAnnotations>
export type Note = Annotations['notes'][number]
export type Targets = Annotations['targets']

/** A period, or one figure of it. */
export interface NotePlace {
  grain: Grain
  start: string
  labels: Record<string, string>
}

/** The notes and targets of an address. For every role. */
export function annotationsQuery(
  path: ReportId,
  search: ReportSearch,
  today: string,
  fiscalYearMonth: number,
) {
  const { first, last } = getDays(search, today, fiscalYearMonth)
  const query = { from: first, to: addDays(last, 1) }
  const queryKey = companyKey(path.company_id, 'annotations', path.source_id, path.metric, query)
  return queryOptions({
    queryKey,
    queryFn: ({ client }) =>
      renewFromApi(readAnnotations, { path, query }, client.getQueryData<Tagged<Annotations>>(queryKey)),
    refetchInterval: renewedEveryMs,
  })
}

export function renewAnnotations(client: QueryClient, id: ReportId): Promise<void> {
  const queryKey = companyKey(id.company_id, 'annotations', id.source_id, id.metric)
  return client.invalidateQueries({ queryKey })
}

/** Notes and targets as a report shows them, and what opens their dialogs and that of names. */
export interface Annotated {
  /** Of the metric. */
  unit: string
  notes: readonly Note[]
  /** The notes that begin in a period, by its index. */
  notesAt: ReadonlyMap<number, readonly Note[]>
  /** A target for each period; null where the report shows none. */
  targets: readonly (string | null)[] | null
  /** Undefined outside of a report. */
  open: ((dialog: NotesDialog) => void) | undefined
}

export type NotesDialog =
  | { kind: 'add'; place: NotePlace }
  | { kind: 'edit' | 'remove'; note: Note }
  | { kind: 'targets' }
  | { kind: 'names'; known: LabelNames; values: readonly string[] }

export const AnnotatedContext = createContext<Annotated>({
  unit: '',
  notes: [],
  notesAt: new Map(),
  targets: null,
  open: undefined,
})

export function useAnnotated(): Annotated {
  return use(AnnotatedContext)
}

/** Whether a metric may have targets, which are compared with the sum of a month. */
export function hasTargets({ combines, grains, period }: Report): boolean {
  return combines === 'sum' && (grains.includes('month') || period === 'month')
}

/** Of a report, without what opens dialogs. */
export function annotate(report: Report, annotations: Annotations | undefined): Omit<Annotated, 'open'> {
  const { unit, periods, grain, where } = report
  const notesAt = new Map<number, Note[]>()
  const shown: Note[] = []
  for (const note of annotations?.notes ?? []) {
    const index = periods.findIndex(
      ({ start, end }) => start <= note.period_start && note.period_start <= end,
    )
    if (index < 0) continue
    shown.push(note)
    notesAt.set(index, [...(notesAt.get(index) ?? []), note])
  }
  // A target is of all rows, and nothing for a part of them.
  const isWhole = grain === 'month' && Object.keys(where).length === 0
  const months = new Map(annotations?.targets.months.map(({ month, value }) => [month, value]))
  const targets = periods.map(({ start }) => months.get(start.slice(0, 7)) ?? null)
  const hasAny = isWhole && hasTargets(report) && targets.some((target) => target !== null)
  return { unit, notes: shown.toReversed(), notesAt, targets: hasAny ? targets : null }
}
