import type { ReactNode } from 'react'
import { useFormat } from '../../company/use-format.ts'
import { percentOf } from '../../decimals/decimal.ts'
import { useTexts } from '../../language/language.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/display/icon.tsx'
import type { Placed } from '../chart/chart-model.ts'
import type { Report } from '../report-queries.ts'
import { otherSeries, type ReportSearch, toSeriesKey } from '../report-search.ts'
import { useAnnotated } from './annotations.ts'
import { toNoteElement } from './notes-card.tsx'
import classes from './notes.module.css'

/** In a row of the table: leads to the notes of its period, or adds the first one. */
export function RowNotes({ report: { periods, grain }, index }: { report: Report; index: number }) {
  const t = useTexts('notes')
  const format = useFormat()
  const { notesAt, open } = useAnnotated()
  if (open === undefined) return null
  const { start } = periods[index]!
  const notes = notesAt.get(index) ?? []
  const [first] = notes
  const period = format.period(start, grain)
  const name = first ? t('countOn', { count: notes.length, period }) : t('addTo', { period })
  return (
    <button
      type="button"
      className={first ? `${classes.tool} ${classes.has}` : classes.tool}
      aria-label={name}
      title={first ? notes.map(({ text }) => text).join('\n') : t('add')}
      onClick={() => {
        if (first) document.getElementById(toNoteElement(first))?.focus()
        else open({ kind: 'add', place: { grain, start, labels: {} } })
      }}
    >
      <Icon name={first ? 'note' : 'plus'} size={12} />
      {notes.length > 1 && notes.length}
    </button>
  )
}

/** In the trace of a figure: a note on this figure, or on its period where its labels have several values. */
export function AddNoteToFigure({ report, search }: { report: Report; search: ReportSearch }) {
  const t = useTexts('notes')
  const { open } = useAnnotated()
  const { trace: start, of } = search
  if (open === undefined || start === undefined) return null
  const { by, where, grain } = report
  const single = Object.entries(where).flatMap(([name, values]) =>
    values.length === 1 ? [[name, values[0]!]] : [],
  )
  const labels: Record<string, string> = Object.fromEntries(single)
  if (by !== null && of !== undefined && of !== otherSeries) labels[by] = toSeriesKey(of)
  return (
    <Button
      variant="quiet"
      icon="note"
      onClick={() => open({ kind: 'add', place: { grain, start, labels } })}
    >
      {t('add')}
    </Button>
  )
}

const [glyphPx, topPx] = [10, 2]

/** In the chart: a flag above each period with notes, and a step at each target. */
export function ChartAnnotations({
  at,
  targets,
}: {
  at: Placed
  targets: readonly (number | null)[] | null
}) {
  const { notesAt } = useAnnotated()
  const middle = (period: number): number => at.x(period) + at.band / 2
  const steps = targets?.map((target, period) =>
    target === null ? '' : `M${at.x(period)} ${at.y(target)}h${at.band}`,
  )
  return (
    <>
      {steps !== undefined && <path className={classes.rim} d={steps.join('')} />}
      {steps !== undefined && <path className={classes.target} d={steps.join('')} />}
      {[...notesAt.keys()].map((period) => (
        <path
          key={period}
          className={classes.flag}
          d={`M${middle(period) - glyphPx / 2} ${topPx}h${glyphPx}v${glyphPx * 0.7}h${-glyphPx / 2}l${-glyphPx * 0.3} ${glyphPx * 0.3}v${-glyphPx * 0.3}h${-glyphPx * 0.2}z`}
        />
      ))}
    </>
  )
}

/** What the chart's signs mean, as {@link ChartAnnotations} draws them. */
export function useAnnotationSigns(): [mark: ReactNode, text: string, isShown: boolean][] {
  const t = useTexts('notes')
  const { notesAt, targets } = useAnnotated()
  return [
    [<span key="" className={classes.targetMark} />, t('target'), targets !== null],
    [<Icon key="" name="note" size={12} />, t('sign'), notesAt.size > 0],
  ]
}

/** What a screen reader says of a period's notes and target. */
export function useAnnotationText(): (index: number, value: string | null) => string[] {
  const t = useTexts('notes')
  const { notesAt } = useAnnotated()
  const toTarget = useTargetText()
  return (index, value) => {
    const notes = notesAt.get(index) ?? []
    const texts = [t('count', { count: notes.length }), ...notes.map(({ text }) => text)]
    return [toTarget(index, value), ...(notes.length > 0 ? [texts.join(': ')] : [])].filter(
      (text) => text !== undefined,
    )
  }
}

function useTargetText(): (index: number, value: string | null) => string | undefined {
  const t = useTexts('notes')
  const format = useFormat()
  const { targets, unit } = useAnnotated()
  return (index, value) => {
    const target = targets?.[index]
    if (target == null) return undefined
    const written = format.figure(target, unit)
    const percent = value === null ? undefined : percentOf(value, target)
    if (percent === undefined) return `${t('target')} ${written}`
    return t('ofTargetOf', { percent: format.percent(percent), value: written })
  }
}

/** Above the chart: how much of its target a period has reached. */
export function TargetLine({ index, value }: { index: number; value: string | null }) {
  const text = useTargetText()(index, value)
  return text === undefined ? null : <p className="small">{text}</p>
}
