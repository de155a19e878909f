import { createLink } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import classes from './table.module.css'

export interface Column<Row> {
  key: string
  head: ReactNode
  render: (row: Row) => ReactNode
  /** Figures end at the right. */
  end?: boolean
  /** How the rows are sorted by this column; without it they are not. */
  compare?: (a: Row, b: Row) => number
  /** In the row below all others, with what adds up. */
  sum?: ReactNode
  /** Left out on a phone, where the same is said elsewhere. */
  wideOnly?: boolean
  /** Set in bold: what the row is named after, or its total. */
  strong?: boolean
}

/** The key of a column; with `-` before it, from its largest on. Fit for an address. */
export type Sort = string

interface TableProps<Row> {
  /** What a screen reader calls it; not shown, since a heading stands above. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Instead of rows. */
  empty?: ReactNode
  /** Rows of two lines. */
  tall?: boolean
  /** The first column stays when the others are scrolled under it. */
  sticky?: boolean
  /** The first cell of each row opens it with a {@link RowLink}. */
  linked?: boolean
  /** The row whose drawer is open. */
  chosen?: string | undefined
  /** Where the address holds it; otherwise the table does. */
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  /** What it is sorted by at first. */
  initialSort?: Sort
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const isDown = sort?.startsWith('-') === true
  const compare = columns.find(({ key }) => key === (isDown ? sort?.slice(1) : sort))?.compare
  if (compare === undefined) return rows
  return rows.toSorted(isDown ? (a, b) => compare(b, a) : compare)
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
  const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined
  return (
    <th
      scope="col"
      className={classNames(column)}
      {...(compare !== undefined && { 'aria-sort': direction ?? 'none' })}
    >
      {compare === undefined ? (
        head
      ) : (
        <button
          type="button"
          className={`${classes.sort} ${direction === undefined ? '' : classes.sorted}`}
          onClick={() => onSort(direction === 'descending' ? key : direction ? `-${key}` : key)}
        >
          {head}
          {direction !== undefined && (
            <Icon name={direction === 'ascending' ? 'arrowUp' : 'arrowDown'} size={12} />
          )}
        </button>
      )}
    </th>
  )
}

function classNames<Row>({ end = false, wideOnly = false, strong = false }: Column<Row>): string {
  return [end && classes.end, wideOnly && classes.wideOnly, strong && classes.strong]
    .filter(Boolean)
    .join(' ')
}

/** Rows and columns. It scrolls sideways within itself, never the page. */
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
  if (rows.length === 0) return <p className={classes.empty}>{empty ?? t('ui.emptyTable')}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys
    <section className={classes.scroll} tabIndex={0} aria-labelledby={captionId}>
      <table
        className={[classes.table, tall && classes.tall, sticky && classes.sticky].filter(Boolean).join(' ')}
      >
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
            <BodyRow
              key={rowKey(row)}
              row={row}
              columns={columns}
              linked={linked}
              isChosen={rowKey(row) === chosen}
            />
          ))}
        </tbody>
        {columns.some(({ sum }) => sum !== undefined) && (
          <tfoot>
            <tr>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row" className={classNames(column)}>
                    {column.sum}
                  </th>
                ) : (
                  <td key={column.key} className={classNames(column)}>
                    {column.sum}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

function BodyRow<Row>({
  row,
  columns,
  linked,
  isChosen,
}: {
  row: Row
  columns: readonly Column<Row>[]
  linked: boolean
  isChosen: boolean
}) {
  return (
    <tr
      className={[classes.row, linked && classes.linked, isChosen && classes.chosen]
        .filter(Boolean)
        .join(' ')}
    >
      {columns.map((column, index) =>
        index === 0 ? (
          <th key={column.key} scope="row" className={classNames(column)}>
            {column.render(row)}
          </th>
        ) : (
          <td key={column.key} className={classNames(column)}>
            {column.render(row)}
          </td>
        ),
      )}
    </tr>
  )
}

function RowAnchor({
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> & { ref?: Ref<HTMLAnchorElement> }) {
  return (
    <a {...rest} className={classes.rowLink}>
      {children}
    </a>
  )
}

/** What a row is named after, as a link that the whole row follows; takes `to`, `params` and `search` as `Link` does. */
export const RowLink = createLink(RowAnchor)

/** The second line of a cell. */
export function Second({ children }: { children: ReactNode }) {
  return <span className={classes.second}>{children}</span>
}
