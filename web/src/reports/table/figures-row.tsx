import { memo } from 'react'
import { useFormat } from '../../company/use-format.ts'
import { useTexts } from '../../language/language.ts'
import { Icon } from '../../ui/display/icon.tsx'
import kit from '../../ui/display/table.module.css'
import { RowNotes } from '../notes/note-marks.tsx'
import { useMissingText, useNames } from '../names.ts'
import { getReach, isAhead, isChangedSince, isMarkedRestated, isPartOfYear } from '../shown-series.ts'
import { type FigureColumn, whyMissing } from './figures.ts'
import { type FiguresProps, useFigureText } from './figures-frame.tsx'
import classes from './figures-table.module.css'

type RowProps = Pick<FiguresProps, 'report' | 'columns' | 'traced' | 'isNarrow' | 'showsGrown'> & {
  /** Of its period. */
  index: number
  rowIndex?: number
  height?: number
}

/** The figures of one period. */
export const FiguresRow = memo(function FiguresRow(props: RowProps) {
  const { report, columns, index, isNarrow, rowIndex, height } = props
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { start, was } = report.periods[index]!
  const isMarked = isMarkedRestated(props)
  return (
    <tr className={kit.row} style={{ height }} aria-rowindex={rowIndex}>
      <th scope="row">
        {isNarrow ? names.periodInTable(start, report.grain) : format.period(start, report.grain)}
        <RowNotes report={report} index={index} />
        <Marks {...props} />
      </th>
      {columns.map((column) => (
        <td
          key={column.key}
          className={`${kit.end} ${classes[column.kind]} ${column.wideOnly ? kit.wideOnly : ''}`}
        >
          <Figure {...props} column={column} />
          {column.kind === 'all' && column.part === 'figure' && isMarked && was !== null && (
            <span className={kit.second}>{t('was', { value: format.figure(was, report.unit) })}</span>
          )}
          {column.part === 'before' && <SameDays report={report} index={index} />}
        </td>
      ))}
    </tr>
  )
})

function Figure({ report, index, traced, column }: RowProps & { column: FigureColumn }) {
  const missing = useMissingText(report)
  const write = useFigureText(report.unit)
  const value = column.values[index] ?? null
  if (value === null) {
    if (isAhead(report, index) || column.kind === 'target') return null
    return column.operands === undefined ? (
      <span className={classes.none}>{missing}</span>
    ) : (
      <NotComputed column={column} index={index} />
    )
  }
  if (column.traced === undefined) return write(column, value)
  const { start } = report.periods[index]!
  const of = typeof column.traced === 'object' ? column.traced.of : undefined
  const isOpen = traced?.start === start && traced.of === of
  return (
    <button
      type="button"
      className={classes.figure}
      data-start={start}
      data-of={of}
      aria-current={isOpen ? true : undefined}
    >
      {write(column, value)}
    </button>
  )
}

/** A dash, and for pointers and screen readers why. */
function NotComputed({ column, index }: { column: FigureColumn; index: number }) {
  const t = useTexts('reports')
  const why = t(`notComputed.${whyMissing(column, index)}`)
  return (
    <span className={classes.none} title={why}>
      <span aria-hidden="true">–</span>
      <span className="unseen">{why}</span>
    </span>
  )
}

/** The days a year before that an unfinished period is compared with. */
function SameDays({ report, index }: Pick<RowProps, 'report' | 'index'>) {
  const names = useNames()
  if (!isPartOfYear(report, index)) return null
  return <span className={kit.second}>{names.yearBefore(report.year_before!, index, report.grain)}</span>
}

/** Marks a period that is unfinished or restated. */
function Marks({ report, index, isNarrow, showsGrown }: RowProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { finished, known_to, restated, restated_at } = report.periods[index]!
  const isRestated = isMarkedRestated({ report, index, showsGrown })
  const isChanged = isChangedSince(report, index)
  const reach = getReach(report, index)
  const unfinished =
    isNarrow || reach === undefined
      ? t('unfinishedSmall')
      : t('toUnfinished', { day: format.dayRange(reach, reach) })
  const marks = [
    !finished && known_to !== null && unfinished,
    isRestated &&
      restated !== null &&
      (restated_at === null || isNarrow
        ? t(`restatedSmall.${restated}`)
        : t(`restatedWhen.${restated}`, { when: names.toDay(restated_at) })),
    isChanged && t('restatedSince'),
  ].filter(Boolean)
  if (marks.length === 0) return null
  return (
    <span className={`${kit.second} ${classes.marks}`}>
      {(restated === 'corrected' || isChanged) && <Icon name="diamond" size={12} />}
      {marks.join(', ')}
    </span>
  )
}
