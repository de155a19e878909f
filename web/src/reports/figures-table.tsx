import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import kit from '../ui/table.module.css'
import { type FigureColumn, sortedPeriods } from './figures.ts'
import classes from './figures-table.module.css'
import { useNames } from './names.ts'
import type { Report } from './report-queries.ts'
import { isChangedSince, reachesTo } from './shown-series.ts'

interface FiguresTableProps {
  report: Report
  columns: readonly FigureColumn[]
  sort: string | undefined
  isNarrow: boolean
  /** Whose trace is open. */
  traced: { start: string; of: string | undefined } | undefined
  caption: string
  onSort: (sort: string) => void
  onTrace: (start: string, of: string | undefined) => void
}

/** What a row needs and no more, so that those that have not changed stay as they are. */
function rowProps({ report, columns, traced, isNarrow }: FiguresTableProps) {
  return { report, columns, traced, isNarrow }
}

/** A day or a month has its own row in every range, so that it stays where it is while others come. */
function startOf({ report }: Pick<FiguresTableProps, 'report'>, place: number): string {
  return report.periods[place]!.start
}

/** More rows than this are made only where they are seen. */
const plainRowsMax = 100
/** On a phone, as many until all are asked for. */
const firstRows = 6

/** The report's figures, exact, each of which opens its trace. */
export function FiguresTable(props: FiguresTableProps) {
  const t = useTexts('reports')
  const { report, columns, sort, isNarrow } = props
  const [showsAll, setShowsAll] = useState(false)
  const places = useMemo(() => sortedPeriods(report.periods, columns, sort), [report, columns, sort])
  const isCut = isNarrow && !showsAll && places.length > firstRows + 2
  const shown = isCut ? places.slice(0, firstRows) : places
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys */}
      <section className={kit.scroll} tabIndex={0} aria-label={props.caption}>
        {shown.length > plainRowsMax ? (
          <LongTable {...props} places={shown} />
        ) : (
          <Frame {...props} rows={shown.length}>
            {shown.map((place) => (
              <Row key={startOf(props, place)} {...rowProps(props)} place={place} />
            ))}
          </Frame>
        )}
      </section>
      {isCut && (
        <div className={classes.more}>
          <Button variant="quiet" wide onClick={() => setShowsAll(true)}>
            {t(`showAll.${report.grain}`, { count: places.length })}
          </Button>
        </div>
      )}
    </>
  )
}

const [rowPx, tallRowPx] = [36, 52]
/** Rows above and below what is seen, so that a quick scroll finds them there. */
const overscan = 12

function isTall(report: Report, place: number): boolean {
  const { finished, known_to, restated } = report.periods[place]!
  return restated || isChangedSince(report, place) || (!finished && known_to !== null)
}

function LongTable({ places, ...props }: FiguresTableProps & { places: readonly number[] }) {
  const ref = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  const isPrinting = useIsPrinting()
  // oxlint-disable-next-line react/incompatible-library -- what it gives is asked anew on each scroll, and kept nowhere
  const virtualizer = useWindowVirtualizer({
    count: places.length,
    estimateSize: (index) => (isTall(props.report, places[index]!) ? tallRowPx : rowPx),
    overscan,
    scrollMargin: top,
  })
  useLayoutEffect(() => {
    const body = ref.current
    if (body !== null) setTop(body.getBoundingClientRect().top + scrollY)
    // In another order, or of another report, other rows are the tall ones.
    virtualizer.measure()
  }, [places, virtualizer])
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const before = first === undefined ? 0 : first.start - top
  const after = last === undefined ? 0 : virtualizer.getTotalSize() - (last.end - top)
  const width = props.columns.length + 1
  if (isPrinting) {
    return (
      <Frame {...props} rows={places.length}>
        {places.map((place) => (
          <Row key={startOf(props, place)} {...rowProps(props)} place={place} />
        ))}
      </Frame>
    )
  }
  return (
    <Frame {...props} rows={places.length} bodyRef={ref} isFixed>
      {before > 0 && <Space height={before} width={width} />}
      {items.map(({ index }) => (
        <Row
          key={startOf(props, places[index]!)}
          {...rowProps(props)}
          place={places[index]!}
          rowIndex={index + 2}
          height={isTall(props.report, places[index]!) ? tallRowPx : rowPx}
        />
      ))}
      {after > 0 && <Space height={after} width={width} />}
    </Frame>
  )
}

/** On paper every row is needed. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const begin = (): void => flushSync(() => setIsPrinting(true))
    const end = (): void => setIsPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

/** In the place of rows that are not seen. */
function Space({ height, width }: { height: number; width: number }) {
  return (
    <tr aria-hidden="true" className={classes.space}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- room, and no control */}
      <td colSpan={width} style={{ height }} />
    </tr>
  )
}

/** At 14 px: of a digit, of a mark between digits, of a letter of a head. The most of a name there; a column's edges. In px. */
const [digitPx, markPx, letterPx, namePxMax, edgesPx] = [8.25, 4, 7, 192, 24]
/** Of "no figure", in px. */
const missingPx = 84
/** Of the first column, in px: a week is named with its days. */
const periodPx = { day: 192, week: 272, month: 192 }

function figurePx(value: string | null): number {
  const digits = value?.replaceAll(/\D/g, '').length ?? 0
  return digits * digitPx + (Math.floor(digits / 3) + 2) * markPx
}

/** The width of a column by its longest figure, so that it stays as it is while rows come and go. */
function widthOf({ values, total, name }: FigureColumn): number {
  const longest = values.reduce<string | null>(
    (most, value) => ((value?.length ?? 0) > (most?.length ?? 0) ? value : most),
    null,
  )
  return (
    Math.max(figurePx(longest), figurePx(total), missingPx, Math.min(name.length * letterPx, namePxMax)) +
    edgesPx
  )
}

/** The widths of the columns that are seen, the first one's too; none on a phone, where they are as wide as they need. */
function useWidths({ report, columns, isNarrow }: FiguresTableProps, isFixed: boolean): number[] {
  return useMemo(() => {
    if (isNarrow && !isFixed) return []
    const seen = isNarrow ? columns.filter(({ kind }) => kind !== 'series') : columns
    return [periodPx[report.grain], ...seen.map(widthOf)]
  }, [report, columns, isNarrow, isFixed])
}

function Frame({
  rows,
  bodyRef,
  isFixed = false,
  children,
  ...props
}: FiguresTableProps & {
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
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- hears its buttons */}
      <tbody ref={bodyRef} onClick={trace}>
        {children}
      </tbody>
      <Sums report={report} columns={columns} />
    </table>
  )
}

function Head({
  name,
  sort,
  kind,
  children,
  onSort,
}: {
  name: string
  sort: string
  kind?: FigureColumn['kind']
  children: ReactNode
  onSort: (sort: string) => void
}) {
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

type RowProps = Pick<FiguresTableProps, 'report' | 'columns' | 'traced' | 'isNarrow'> & {
  place: number
  rowIndex?: number
  height?: number
}

const Row = memo(function Row(props: RowProps) {
  const { report, columns, place, traced, isNarrow, rowIndex, height } = props
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { start, restated, was } = report.periods[place]!
  const missing = t(report.as_of === null ? 'noFigure' : 'notKnown')
  return (
    <tr className={kit.row} style={{ height }} {...(rowIndex !== undefined && { 'aria-rowindex': rowIndex })}>
      <th scope="row">
        {isNarrow ? names.periodInTable(start, report.grain) : format.period(start, report.grain)}
        <Marks report={report} place={place} isNarrow={isNarrow} />
      </th>
      {columns.map(({ key, kind, values, traced: opens }) => {
        const value = values[place] ?? null
        const of = typeof opens === 'object' ? opens.of : undefined
        const isOpen = traced?.start === start && opens !== undefined && traced.of === of
        return (
          <td key={key} className={`${kit.end} ${classes[kind]} ${kind === 'series' ? kit.wideOnly : ''}`}>
            {value === null ? (
              <span className={classes.none}>{missing}</span>
            ) : opens === undefined ? (
              format.number(value)
            ) : (
              <button
                type="button"
                className={classes.figure}
                data-start={start}
                data-of={of}
                {...(isOpen && { 'aria-current': true })}
              >
                {format.number(value)}
              </button>
            )}
            {kind === 'all' && restated && was !== null && (
              <span className={kit.second}>{t('was', { value: format.number(was) })}</span>
            )}
          </td>
        )
      })}
    </tr>
  )
})

/** What of a period differs: it is going on, or was restated. */
function Marks({ report, place, isNarrow }: { report: Report; place: number; isNarrow: boolean }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { finished, known_to, restated, restated_at } = report.periods[place]!
  const isSince = isChangedSince(report, place)
  const reach = reachesTo(report, place)
  const said = [
    !finished &&
      known_to !== null &&
      (isNarrow || reach === undefined
        ? t('unfinishedSmall')
        : t('toUnfinished', { day: format.dayRange(reach, reach) })),
    restated &&
      (restated_at === null || isNarrow
        ? t('restatedSmall')
        : t('restatedWhen', { when: names.dayOf(restated_at) })),
    isSince && t('restatedSince'),
  ].filter(Boolean)
  if (said.length === 0) return null
  return (
    <span className={`${kit.second} ${classes.marks}`}>
      {(restated || isSince) && <Icon name="diamond" size={12} />}
      {said.join(', ')}
    </span>
  )
}

/** What all periods come to, where they come to one. */
function Sums({ report, columns }: { report: Report; columns: readonly FigureColumn[] }) {
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
