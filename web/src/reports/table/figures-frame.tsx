import { type MouseEvent, type ReactNode, type Ref, useMemo } from 'react'
import { useFormat } from '../../company/use-format.ts'
import { getSign } from '../../decimals/decimal.ts'
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
  /** Whether periods that only grew while they ran are marked too. */
  showsGrown: boolean
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
  // An amount may be shown with two more decimals.
  const digits = (value?.replaceAll(/\D/g, '').length ?? 0) + (value?.includes('.') ? 0 : 2)
  return digits * digitPx + (Math.floor(digits / 3) + 2) * markPx
}

/** The width of a column by its longest figure, so that it stays the same while rows come and go. */
function getWidth({ values, total, compared, name }: FigureColumn): number {
  const longest = values.reduce((a, b) => ((b?.length ?? 0) > (a?.length ?? 0) ? b : a), null)
  const namePx = Math.min(name.length * letterPx, namePxMax)
  const totalPx = Math.max(getFigurePx(total), getFigurePx(compared))
  return Math.max(getFigurePx(longest), totalPx, missingPx, namePx) + edgesPx
}

/** The widths of the visible columns; none for a short table on a phone, which the browser lays out. */
function useWidths({ report, columns, isNarrow }: FiguresProps, isFixed: boolean): number[] {
  return useMemo(() => {
    if (isNarrow && !isFixed) return []
    const seen = isNarrow ? columns.filter(({ wideOnly }) => !wideOnly) : columns
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
          {columns.map(({ key, name, kind, wideOnly }) => (
            <Head key={key} name={key} sort={sort} onSort={onSort} kind={kind} wideOnly={wideOnly}>
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
  wideOnly?: boolean
  children: ReactNode
  onSort: (sort: string) => void
}

function Head({ name, sort, kind, wideOnly, children, onSort }: HeadProps) {
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  return (
    <th
      scope="col"
      aria-sort={direction ?? 'none'}
      className={[kind !== undefined && kit.end, wideOnly && kit.wideOnly].filter(Boolean).join(' ')}
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

/**
 * The total of all periods, where they have one. Over two years only periods with figures in both are added: in a row of its own
 * where these are fewer.
 */
function Totals({ report, columns }: Pick<FiguresProps, 'report' | 'columns'>) {
  const t = useTexts('reports')
  const { combines, periods, totals, year_before, grain } = report
  if (combines === null || columns.every(({ total, compared }) => total === null && compared === null))
    return null
  const count = periods.filter((_period, index) => totals?.[index] != null).length
  const compared = year_before?.compared ?? null
  const isCompared = compared !== null && columns.some((column) => comparesYears(column))
  const isWhole = compared === count
  return (
    <tfoot>
      <TotalRow
        name={t(`together.${combines}`, { count })}
        columns={columns}
        unit={report.unit}
        getTotal={(column) => (comparesYears(column) && isWhole ? column.compared : column.total)}
      />
      {isCompared && !isWhole && (
        <TotalRow
          name={t(`comparedOf.${grain}`, { count: compared, of: count })}
          columns={columns}
          unit={report.unit}
          getTotal={(column) => column.compared}
        />
      )}
    </tfoot>
  )
}

function comparesYears({ part }: FigureColumn): boolean {
  return part === 'before' || part === 'change' || part === 'percent'
}

function TotalRow({
  name,
  columns,
  unit,
  getTotal,
}: {
  name: string
  columns: readonly FigureColumn[]
  unit: string
  getTotal: (column: FigureColumn) => string | null
}) {
  const write = useFigureText(unit)
  return (
    <tr>
      <th scope="row">{name}</th>
      {columns.map((column) => {
        const total = getTotal(column)
        return (
          <td key={column.key} className={`${kit.end} ${column.wideOnly ? kit.wideOnly : ''}`}>
            {total === null ? '' : write(column, total)}
          </td>
        )
      })}
    </tr>
  )
}

/** Writes a value of a column as what it is: a figure, a difference or a percentage. */
export function useFigureText(unit: string): (column: FigureColumn, value: string) => string {
  const format = useFormat()
  return ({ part }, value) => {
    if (part === 'share') return format.percent(value)
    if (part === 'percent') return `${getSign(value) > 0 ? '+' : ''}${format.percent(value)}`
    return format.figure(value, unit, { sign: part === 'change' })
  }
}
