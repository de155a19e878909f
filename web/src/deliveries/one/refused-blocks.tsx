import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { CopyableId } from '../../ui/display/copy.tsx'
import kit from '../../ui/display/table.module.css'
import { Row } from '../../ui/layout/page.tsx'
import type { DeliveryRefusals } from '../delivery-queries.ts'
import classes from './delivery-rows.module.css'
import { RowValue } from './row-value.tsx'
import { type RowsField, type ShownRow, useRefusal } from './use-refusal.ts'

/** Fields of a refused row that are shown with the one that is wrong. */
const othersMax = 6
/** With no more refused rows than this, their reasons are open from the start. */
const openedMax = 3

/** Refused rows by reason and field: one line for each, which opens to its first rows. */
export function RefusedBlocks({ refusals: { fields, groups } }: { refusals: DeliveryRefusals }) {
  const { t } = useTranslation('deliveries')
  const isFew = groups.reduce((rows, group) => rows + group.rows, 0) <= openedMax
  if (groups.length === 0) return <p className={kit.empty}>{t('rows.noneRefused')}</p>
  return (
    <ul className="list" aria-label={t('rows.refusedTitle')}>
      {groups.map((group) => (
        <RefusedGroup key={`${group.code} ${group.field}`} group={group} fields={fields} isOpen={isFew} />
      ))}
    </ul>
  )
}

function RefusedGroup({
  group: { code, field, rows, examples },
  fields,
  isOpen,
}: {
  group: DeliveryRefusals['groups'][number]
  fields: RowsField[]
  isOpen: boolean
}) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  return (
    <li>
      <details className={classes.group} open={isOpen}>
        <summary>
          <b>{t(`refusal.${code}.cause`, { field: isolate(field ?? '') })}</b>
          <span>{t('rows.count', { count: rows, rows: format.count(rows) })}</span>
        </summary>
        {rows > examples.length && examples.length > 0 && (
          <p className="small">{t('rows.first', { count: examples.length })}</p>
        )}
        {examples.map((row) => (
          <RefusedBlock key={row.row} row={row} fields={fields} />
        ))}
      </details>
    </li>
  )
}

function RefusedBlock({ row, fields }: { row: ShownRow; fields: RowsField[] }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { field, value, advice, meant } = useRefusal(row, fields)
  const others = fields
    .map(({ name }, at) => ({ name, other: row.values?.[at] ?? null }))
    .filter(({ name, other }) => name !== field && other !== null)
  const number = format.count(row.row)
  return (
    <div className={classes.block}>
      <Row spread>
        <h3>
          {field === null
            ? t('rows.rowWhole', { row: number })
            : t('rows.rowField', { row: number, field: isolate(field) })}
        </h3>
        {value !== undefined && (
          <code className={classes.chip}>
            <RowValue value={value} isWrong />
          </code>
        )}
      </Row>
      <p>{advice}</p>
      {meant !== undefined && (
        <div>
          <CopyableId id={meant} label={meant} whole />
        </div>
      )}
      {row.values === null && <p className="quiet">{t('rows.cells', { count: row.cells ?? 0 })}</p>}
      {others.length > 0 && (
        <dl className={classes.others}>
          {others.slice(0, othersMax).map(({ name, other }) => (
            <div key={name}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd>
                <RowValue value={other} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
