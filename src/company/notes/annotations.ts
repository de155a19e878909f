import { memberAnswer } from '../sources/to-source-answer.ts'
import {
  periodStart,
  formatDay,
  firstPeriodDay,
  lastPeriodDay,
  type Period,
} from '../../formats/values/period.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { readDay, readWindow } from '../../platform/reads/read-window.ts'
import { selectNotes, selectTargets, type NoteRow, type OfMetric, type TargetsRow } from './queries.ts'

/** Notes of a company, and of one period; a further one is 409. */
export const notesMax = 2_000
export const notesOfPeriodMax = 20

/** The most days of a month, and the days of a week: as many later, the next one has begun. */
const [monthDaysMax, weekDays] = [31, 7]

export function noteAnswer(row: NoteRow) {
  const { author, author_name, edited_by: editor, edited_by_name, created_at, edited_at, ...note } = row
  return {
    ...note,
    author: memberAnswer(author === null ? null : { memberId: author, name: author_name }),
    created_at: created_at.toISOString(),
    edited_by: memberAnswer(editor === null ? null : { memberId: editor, name: edited_by_name }),
    edited_at: edited_at?.toISOString() ?? null,
  }
}

export type Note = ReturnType<typeof noteAnswer>

export function targetsAnswer(row: TargetsRow | undefined) {
  const by = row?.saved_by ?? null
  return {
    revision: row?.revision ?? 0,
    months: Object.entries(row?.months ?? {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, value]) => ({ month, value })),
    saved_by: memberAnswer(by === null ? null : { memberId: by, name: row!.saved_by_name }),
    saved_at: row?.saved_at.toISOString() ?? null,
  }
}

export interface Annotations {
  notes: Note[]
  targets: ReturnType<typeof targetsAnswer>
}

/** The notes of the periods that begin from `from` up to, not including, `to`, and all targets of the metric. */
export async function readAnnotationsBetween(
  on: Queryable,
  of: OfMetric,
  from: string,
  to: string,
): Promise<Annotations> {
  const notes = await selectNotes.rows(on, { ...of, from, to, limit: notesMax })
  return { notes: notes.map(noteAnswer), targets: targetsAnswer(await selectTargets.first(on, of)) }
}

/**
 * The same for a window, which is widened to whole weeks and months.
 *
 * @param today the company's day, counted from 1970-01-01
 * @throws 400 with field `from` or `to`
 */
export function readAnnotations(
  on: Queryable,
  of: OfMetric,
  window: { from?: string | undefined; to?: string | undefined },
  today: number,
): Promise<Annotations> {
  const { from, to } = readWindow(window.from, window.to, today)
  const [first, last] = [readDay(from, 'from'), readDay(to, 'to') - 1]
  const begin = Math.max(firstPeriodDay, Math.min(periodStart('month', first), periodStart('week', first)))
  const monthEnd = periodStart('month', periodStart('month', last) + monthDaysMax)
  const end = Math.min(lastPeriodDay, Math.max(monthEnd, periodStart('week', last) + weekDays))
  return readAnnotationsBetween(on, of, formatDay(begin), formatDay(end))
}

/** The target of a month; null for other periods, and where there is none. */
export function findTarget({ targets }: Annotations, grain: Period, start: string): string | null {
  if (grain !== 'month') return null
  return targets.months.find(({ month }) => month === start.slice(0, 7))?.value ?? null
}

/** The notes and the target of one period, from its first day up to its last. */
export async function readAnnotationsOfPeriod(
  on: Queryable,
  of: OfMetric,
  { grain, start, end }: { grain: Period; start: string; end: string },
): Promise<{ notes: Note[]; target: string | null }> {
  const after = formatDay(readDay(end, 'end') + 1)
  const annotations = await readAnnotationsBetween(on, of, start, after)
  return { notes: annotations.notes, target: findTarget(annotations, grain, start) }
}
