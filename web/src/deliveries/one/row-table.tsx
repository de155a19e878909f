import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import kit from '../../ui/display/table.module.css'
import classes from './delivery-rows.module.css'
import { RowValue } from './row-value.tsx'
import { type RowsField, type ShownRow, useRefusal } from './use-refusal.ts'

interface RowProps {
  row: ShownRow
  fields: readonly RowsField[]
}

/** Rows as stored, each refused one followed by the reason. */
export function RowTable({
  fields,
  rows,
  gaves,
  unit = 'count',
}: {
  fields: readonly RowsField[]
  rows: readonly ShownRow[]
  /** By row: what it gave a figure, in a last column. */
  gaves?: ReadonlyMap<number, string | null>
  /** Of the figure. */
  unit?: string
}) {
  const { t } = useTranslation('deliveries')
  if (rows.length === 0) return <p className={kit.empty}>{t('rows.none')}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys
    <section className={`${kit.scroll} ${classes.scroll}`} tabIndex={0} aria-label={t('rows.caption')}>
      <table className={`${kit.table} ${classes.table}`}>
        <caption className="unseen">{t('rows.caption')}</caption>
        <thead>
          <tr>
            <th scope="col" className={classes.number}>
              {t('rows.row')}
            </th>
            {fields.map(({ name }) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
            {gaves !== undefined && (
              <th scope="col" className={kit.end}>
                {t('figureRows.gave')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.row}>
              <Row row={row} fields={fields} gave={gaves?.get(row.row)} unit={unit} />
              {row.refusal !== null && <Reason row={row} fields={fields} />}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ row, fields, gave, unit }: RowProps & { gave: string | null | undefined; unit: string }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { refusal, values, line } = row
  return (
    <tr className={refusal === null ? '' : classes.refused}>
      <th
        scope="row"
        className={classes.number}
        title={line === null ? undefined : t('rows.line', { line: format.count(line) })}
      >
        {format.count(row.row)}
      </th>
      {values === null ? (
        <td colSpan={Math.max(1, fields.length)} className="quiet">
          {t('rows.cells', { count: row.cells ?? 0 })}
        </td>
      ) : (
        fields.map(({ name }, at) => (
          <td key={name} className={refusal?.field === name ? classes.wrong : ''}>
            <RowValue value={values[at] ?? null} isWrong={refusal?.field === name} />
          </td>
        ))
      )}
      {gave !== undefined && <td className={kit.end}>{gave === null ? '' : format.figure(gave, unit)}</td>}
    </tr>
  )
}

/** Why the row does not count, then what to send. */
function Reason({ row, fields }: RowProps) {
  const { t } = useTranslation('deliveries')
  const { cause, advice, meant } = useRefusal(row, fields)
  return (
    <tr className={`${classes.refused} ${classes.reason}`}>
      <td colSpan={Math.max(1, fields.length) + 1}>
        <div className={classes.why}>
          <b>{cause}</b> {advice} {meant !== undefined && <code>{meant}</code>}
          {meant?.includes('T') && t('rows.orDate')}
        </div>
      </td>
    </tr>
  )
}
