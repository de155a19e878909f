import { findTarget, type Annotations, type Note } from '../../company/notes/annotations.ts'
import type { Period } from '../../formats/values/period.ts'
import type { FileColumn } from './write-csv.ts'

const words = {
  en: { target: 'Target', note: 'Note' },
  sv: { target: 'Mål', note: 'Anteckning' },
}

interface AnnotatedReport {
  grain: Period
  periods: readonly { start: string; end: string }[]
  /** A target is of all rows, and stands next to no part of them. */
  where: Record<string, unknown>
}

/** What a note says, with what it is about where that is less or more than the period, and who said it when. */
function toText({ labels, text, author, created_at, ...note }: Note, grain: Period): string {
  const about = [
    note.grain === grain ? '' : `${note.grain} ${note.period_start}`,
    ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  ].filter(Boolean)
  const by = [author?.name, created_at.slice(0, 10)].filter(Boolean).join(' ')
  return `${about.length > 0 ? `${about.join(' ')}: ` : ''}${text} (${by})`
}

/** The last columns of a report's file: targets and notes, each where there are any. */
export function toAnnotationColumns(
  { grain, periods, where }: AnnotatedReport,
  annotations: Annotations,
  language: keyof typeof words,
): FileColumn[] {
  const { target, note } = words[language]
  const isWhole = Object.keys(where).length === 0
  const targets = periods.map(({ start }) => (isWhole ? findTarget(annotations, grain, start) : null))
  const notes = periods.map(({ start, end }) =>
    annotations.notes.filter(({ period_start: day }) => start <= day && day <= end),
  )
  const columns: FileColumn[] = []
  if (targets.some((value) => value !== null)) columns.push({ kind: 'value', name: target, cells: targets })
  if (notes.some((each) => each.length > 0)) {
    const texts = notes.map((each) => each.map((one) => toText(one, grain)).join(' | '))
    columns.push({ kind: 'text', name: note, cells: texts })
  }
  return columns
}
