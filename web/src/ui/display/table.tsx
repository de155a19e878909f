import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import classes from './table.module.css'

export interface Column<Row> {
  key: string
  head: ReactNode
  render: (row: Row) => ReactNode
  /** Aligned to the end, as numbers are. */
  end?: boolean
  /** Makes the table sortable by this column. */
  compare?: (a: Row, b: Row) => number
  /** Its total, in the last row. */
  sum?: ReactNode
  /** Hidden on a phone, where another cell says the same. */
  wideOnly?: boolean
  strong?: boolean
}

/** The key of a column; `-` before it sorts in descending order. Fit for an address. */
type Sort = string

interface TableProps<Row> {
  /** For screen readers only, since the table has a heading above it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Shown instead of rows. */
  empty?: ReactNode
  /** Rows of two lines. */
  tall?: boolean
  /** The first column stays in place while the others scroll. */
  sticky?: boolean
  /** The first cell of each row has a {@link RowLink}. */
  linked?: boolean
  /** The key of the row whose drawer is open. */
  chosen?: string | undefined
  /** Where the address holds the order; otherwise the table does. */
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  initialSort?: Sort
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort = '',
): readonly Row[] {
  const isDescending = sort.startsWith('-')
  const compare = columns.find(({ key }) => key === (isDescending ? sort.slice(1) : sort))?.compare
  if (compare === undefined) return rows
  return rows.toSorted(isDescending ? (a, b) => compare(b, a) : compare)
}

function joinClasses(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

function toClassName<Row>({ end = false, wideOnly = false, strong = false }: Column<Row>): string {
  return joinClasses(end && classes.end, wideOnly && classes.wideOnly, strong && classes.strong)
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}) {
  const { key, head, compare } = column
  if (compare === undefined) {
    return (
      <th scope="col" className={toClassName(column)}>
        {head}
      </th>
    )
  }
  const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none'
  return (
    <th scope="col" className={toClassName(column)} aria-sort={direction}>
      <button
        type="button"
        className={joinClasses(classes.sort, direction !== 'none' && classes.sorted)}
        onClick={() => onSort(direction === 'ascending' ? `-${key}` : key)}
      >
        {head}
        {direction !== 'none' && (
          <Icon name={direction === 'ascending' ? 'arrowUp' : 'arrowDown'} size={12} />
        )}
      </button>
    </th>
  )
}

/** A row of the body or the foot. Its first cell names it. */
function Cells<Row>({
  columns,
  render,
}: {
  columns: readonly Column<Row>[]
  render: (column: Column<Row>) => ReactNode
}) {
  return columns.map((column, index) => {
    const className = toClassName(column)
    return index === 0 ? (
      <th key={column.key} scope="row" className={className}>
        {render(column)}
      </th>
    ) : (
      <td key={column.key} className={className}>
        {render(column)}
      </td>
    )
  })
}

/** Rows and columns. It scrolls sideways by itself, and never makes the page do so. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  tall = false,
  sticky = false,
  linked = false,
  chosen,
  sort: givenSort,
  onSort,
  initialSort,
}: TableProps<Row>) {
  const { t } = useTranslation()
  const captionId = useId()
  const [ownSort, setOwnSort] = useState(initialSort)
  const sort = givenSort ?? ownSort
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort])
  if (rows.length === 0) return <p className={`quiet ${classes.empty}`}>{empty ?? t('ui.emptyTable')}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys
    <section className={classes.scroll} tabIndex={0} aria-labelledby={captionId}>
      <table className={joinClasses(classes.table, tall && classes.tall, sticky && classes.sticky)}>
        <caption id={captionId} className="unseen">
          {caption}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort ?? setOwnSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr
              key={rowKey(row)}
              className={joinClasses(
                classes.row,
                linked && classes.linked,
                rowKey(row) === chosen && classes.chosen,
              )}
            >
              <Cells columns={columns} render={(column) => column.render(row)} />
            </tr>
          ))}
        </tbody>
        {columns.some(({ sum }) => sum !== undefined) && (
          <tfoot>
            <tr>
              <Cells columns={columns} render={({ sum }) => sum} />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

/** The name of a row, as a link that the whole row follows. Takes `to`, `params` and `search` like `Link`. */
export const RowLink = createLink(({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) => (
  <a {...rest} className={classes.rowLink}>
    {children}
  </a>
))

/** The second line of a cell. */
export function Second({ children }: { children: ReactNode }) {
  return <span className={classes.second}>{children}</span>
}

/** What a cell says on a phone only, where the column that says it is hidden. */
export function NarrowOnly({ children }: { children: ReactNode }) {
  return <span className={classes.narrowOnly}>{children}</span>
}
