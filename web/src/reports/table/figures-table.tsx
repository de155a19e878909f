import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '../../language/language.ts'
import { Button } from '../../ui/controls/button.tsx'
import kit from '../../ui/display/table.module.css'
import { isChangedSince, isMarkedRestated } from '../shown-series.ts'
import { type FiguresProps, FiguresFrame } from './figures-frame.tsx'
import { FiguresRow } from './figures-row.tsx'
import { sortPeriods } from './figures.ts'
import classes from './figures-table.module.css'

/** Longer tables render only the visible rows. */
const plainRowsMax = 100
/** The first rows on a phone, until all are requested. */
const firstRows = 6

/** The report's figures, exact, each of which opens its trace. */
export function FiguresTable(props: FiguresProps) {
  const t = useTexts('reports')
  const { report, columns, sort, isNarrow } = props
  const [showsAll, setShowsAll] = useState(false)
  const indexes = useMemo(() => sortPeriods(report.periods, columns, sort), [report, columns, sort])
  const isCut = isNarrow && !showsAll && indexes.length > firstRows + 2
  const shown = isCut ? indexes.slice(0, firstRows) : indexes
  const Rows = shown.length > plainRowsMax ? LongTable : PlainTable
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys */}
      <section className={kit.scroll} tabIndex={0} aria-label={props.caption}>
        <Rows {...props} indexes={shown} />
      </section>
      {isCut && (
        <div className={classes.more}>
          <Button variant="quiet" wide onClick={() => setShowsAll(true)}>
            {t(`showAll.${report.grain}`, { count: indexes.length })}
          </Button>
        </div>
      )}
    </>
  )
}

interface RowsProps extends FiguresProps {
  /** Of the periods, in their order. */
  indexes: readonly number[]
}

/** Only what a row depends on, so that unchanged rows are not rendered again. A period keeps its row in every range. */
function toRowProps({ report, columns, traced, isNarrow, showsGrown }: FiguresProps, index: number) {
  return { key: report.periods[index]!.start, report, columns, traced, isNarrow, showsGrown, index }
}

function PlainTable({ indexes, ...props }: RowsProps) {
  return (
    <FiguresFrame {...props} rows={indexes.length}>
      {indexes.map((index) => {
        const { key, ...row } = toRowProps(props, index)
        return <FiguresRow key={key} {...row} />
      })}
    </FiguresFrame>
  )
}

const [rowPx, tallRowPx] = [36, 52]
/** Rows above and below the visible ones, for quick scrolling. */
const overscan = 12

/** The height of a row, which is tall where a period is marked. */
function getRowPx(
  { report, showsGrown }: Pick<FiguresProps, 'report' | 'showsGrown'>,
  index: number,
): number {
  const { finished, known_to } = report.periods[index]!
  const isRestated = isMarkedRestated({ report, index, showsGrown })
  const isMarked = isRestated || isChangedSince(report, index) || (!finished && known_to !== null)
  return isMarked ? tallRowPx : rowPx
}

function LongTable({ indexes, ...props }: RowsProps) {
  const { columns } = props
  const ref = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  const isPrinting = useIsPrinting()
  // oxlint-disable-next-line react/incompatible-library -- its results are read on each scroll and not stored
  const virtualizer = useWindowVirtualizer({
    count: indexes.length,
    estimateSize: (place) => getRowPx(props, indexes[place]!),
    overscan,
    scrollMargin: top,
  })
  useLayoutEffect(() => {
    const body = ref.current
    if (body !== null) setTop(body.getBoundingClientRect().top + scrollY)
    // In another order other rows are the tall ones.
    virtualizer.measure()
  }, [indexes, virtualizer])
  if (isPrinting) return <PlainTable {...props} indexes={indexes} />
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const before = first === undefined ? 0 : first.start - top
  const after = last === undefined ? 0 : virtualizer.getTotalSize() - (last.end - top)
  const width = columns.length + 1
  return (
    <FiguresFrame {...props} rows={indexes.length} bodyRef={ref} isFixed>
      <Space height={before} width={width} />
      {items.map(({ index: place }) => {
        const index = indexes[place]!
        const { key, ...row } = toRowProps(props, index)
        return <FiguresRow key={key} {...row} rowIndex={place + 2} height={getRowPx(props, index)} />
      })}
      <Space height={after} width={width} />
    </FiguresFrame>
  )
}

/** Whether the page is being printed, which needs every row. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    addEventListener('beforeprint', () => flushSync(() => setIsPrinting(true)), { signal })
    addEventListener('afterprint', () => setIsPrinting(false), { signal })
    return () => controller.abort()
  }, [])
  return isPrinting
}

/** Takes the place of rows that are not rendered. */
function Space({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden="true" className={classes.space}>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no control */}
      <td colSpan={width} style={{ height }} />
    </tr>
  )
}
