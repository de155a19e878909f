import { memo } from 'react'
import { useFormat } from '../../company/use-format.ts'
import { useTexts } from '../../language/language.ts'
import { Icon } from '../../ui/display/icon.tsx'
import kit from '../../ui/display/table.module.css'
import { RowNotes } from '../notes/note-marks.tsx'
import { useMissingText, useNames } from '../names.ts'
import { getReach, isChangedSince } from '../shown-series.ts'
import type { FigureColumn } from './figures.ts'
import type { FiguresProps } from './figures-frame.tsx'
import classes from './figures-table.module.css'

type RowProps = Pick<FiguresProps, 'report' | 'columns' | 'traced' | 'isNarrow'> & {
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
  const { start, restated, was } = report.periods[index]!
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
          className={`${kit.end} ${classes[column.kind]} ${column.kind === 'series' ? kit.wideOnly : ''}`}
        >
          <Figure {...props} column={column} />
          {column.kind === 'all' && restated && was !== null && (
            <span className={kit.second}>{t('was', { value: format.number(was) })}</span>
          )}
        </td>
      ))}
    </tr>
  )
})

function Figure({ report, index, traced, column }: RowProps & { column: FigureColumn }) {
  const format = useFormat()
  const missing = useMissingText(report)
  const value = column.values[index] ?? null
  if (value === null && column.kind === 'target') return null
  if (value === null) return <span className={classes.none}>{missing}</span>
  if (column.traced === undefined) return format.number(value)
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
      {format.number(value)}
    </button>
  )
}

/** Marks a period that is unfinished or restated. */
function Marks({ report, index, isNarrow }: RowProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { finished, known_to, restated, restated_at } = report.periods[index]!
  const isChanged = isChangedSince(report, index)
  const reach = getReach(report, index)
  const unfinished =
    isNarrow || reach === undefined
      ? t('unfinishedSmall')
      : t('toUnfinished', { day: format.dayRange(reach, reach) })
  const marks = [
    !finished && known_to !== null && unfinished,
    restated &&
      (restated_at === null || isNarrow
        ? t('restatedSmall')
        : t('restatedWhen', { when: names.toDay(restated_at) })),
    isChanged && t('restatedSince'),
  ].filter(Boolean)
  if (marks.length === 0) return null
  return (
    <span className={`${kit.second} ${classes.marks}`}>
      {(restated || isChanged) && <Icon name="diamond" size={12} />}
      {marks.join(', ')}
    </span>
  )
}
