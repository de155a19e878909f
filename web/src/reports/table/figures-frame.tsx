import { type MouseEvent, type ReactNode, type Ref, useMemo } from 'react'
import { useFormat } from '../../company/use-format.ts'
import { useTexts } from '../../language/language.ts'
import { Icon } from '../../ui/display/icon.tsx'
import kit from '../../ui/display/table.module.css'
import type { Report } from '../report-queries.ts'
import type { FigureColumn } from './figures.ts'
import classes from './figures-table.module.css'

export interface FiguresProps {
  report: Report
  columns: readonly FigureColumn[]
  sort: string | undefined
  isNarrow: boolean
  /** The figure whose trace is open. */
  traced: { start: string; of: string | undefined } | undefined
  caption: string
  onSort: (sort: string) => void
  onTrace: (start: string, of: string | undefined) => void
}

/** At 14 px, in px: a digit, a separator, a letter of a head; the longest name; a column's padding. */
const [digitPx, markPx, letterPx, namePxMax, edgesPx] = [8.25, 4, 7, 192, 24]
/** The width of "no figure", in px. */
const missingPx = 84
/** The width of the first column, in px: a week is written with its days. */
const periodPx = { day: 192, week: 272, month: 192 }

function getFigurePx(value: string | null): number {
  const digits = value?.replaceAll(/\D/g, '').length ?? 0
  return digits * digitPx + (Math.floor(digits / 3) + 2) * markPx
}

/** The width of a column by its longest figure, so that it stays the same while rows come and go. */
function getWidth({ values, total, name }: FigureColumn): number {
  const longest = values.reduce((a, b) => ((b?.length ?? 0) > (a?.length ?? 0) ? b : a), null)
  const namePx = Math.min(name.length * letterPx, namePxMax)
  return Math.max(getFigurePx(longest), getFigurePx(total), missingPx, namePx) + edgesPx
}

/** The widths of the visible columns; none for a short table on a phone, which the browser lays out. */
function useWidths({ report, columns, isNarrow }: FiguresProps, isFixed: boolean): number[] {
  return useMemo(() => {
    if (isNarrow && !isFixed) return []
    const seen = isNarrow ? columns.filter(({ kind }) => kind !== 'series') : columns
    return [periodPx[report.grain], ...seen.map(getWidth)]
  }, [report, columns, isNarrow, isFixed])
}

/** The table with its head and totals, around its rows. */
export function FiguresFrame({
  rows,
  bodyRef,
  isFixed = false,
  children,
  ...props
}: FiguresProps & {
  rows: number
  bodyRef?: Ref<HTMLTableSectionElement>
  isFixed?: boolean
  children: ReactNode
}) {
  const { report, columns, sort = '-period', caption, onSort, onTrace } = props
  const t = useTexts('reports')
  const widths = useWidths(props, isFixed)
  const trace = ({ target }: MouseEvent): void => {
    const { start, of } = (target as HTMLElement).closest('button')?.dataset ?? {}
    if (start !== undefined) onTrace(start, of)
  }
  return (
    <table
      className={`${kit.table} ${kit.sticky} ${classes.table} ${isFixed ? classes.fixed : ''}`}
      style={isFixed ? { minWidth: widths.reduce((sum, width) => sum + width, 0) } : undefined}
      aria-rowcount={rows + 1}
    >
      <caption className="unseen">{caption}</caption>
      {widths.length > 0 && (
        <colgroup>
          {widths.map((width, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a column has no name but its place
            <col key={index} style={{ width }} />
          ))}
        </colgroup>
      )}
      <thead>
        <tr>
          <Head name="period" sort={sort} onSort={onSort}>
            {t(`grain.${report.grain}`)}
          </Head>
          {columns.map(({ key, name, kind }) => (
            <Head key={key} name={key} sort={sort} onSort={onSort} kind={kind}>
              <bdi>{name}</bdi>
            </Head>
          ))}
        </tr>
      </thead>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- presses of its buttons */}
      <tbody ref={bodyRef} onClick={trace}>
        {children}
      </tbody>
      <Totals report={report} columns={columns} />
    </table>
  )
}

interface HeadProps {
  name: string
  sort: string
  kind?: FigureColumn['kind']
  children: ReactNode
  onSort: (sort: string) => void
}

function Head({ name, sort, kind, children, onSort }: HeadProps) {
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  return (
    <th
      scope="col"
      aria-sort={direction ?? 'none'}
      className={[kind !== undefined && kit.end, kind === 'series' && kit.wideOnly].filter(Boolean).join(' ')}
    >
      <button
        type="button"
        className={`${kit.sort} ${classes.sort} ${direction === undefined ? '' : kit.sorted}`}
        onClick={() => onSort(direction === 'descending' ? name : `-${name}`)}
      >
        {children}
        {direction !== undefined && (
          <Icon name={direction === 'ascending' ? 'arrowUp' : 'arrowDown'} size={12} />
        )}
      </button>
    </th>
  )
}

/** The total of all periods, where they have one. */
function Totals({ report, columns }: Pick<FiguresProps, 'report' | 'columns'>) {
  const t = useTexts('reports')
  const format = useFormat()
  const { combines, periods, totals } = report
  if (combines === null || columns.every(({ total }) => total === null)) return null
  const count = periods.filter((_period, index) => totals?.[index] != null).length
  return (
    <tfoot>
      <tr>
        <th scope="row">{t(`together.${combines}`, { count })}</th>
        {columns.map(({ key, kind, total }) => (
          <td key={key} className={`${kit.end} ${kind === 'series' ? kit.wideOnly : ''}`}>
            {total === null ? '' : format.number(total)}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}
