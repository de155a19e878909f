import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { CopyableId } from '../../ui/display/copy.tsx'
import kit from '../../ui/display/table.module.css'
import { Row } from '../../ui/layout/page.tsx'
import classes from './delivery-rows.module.css'
import { RowValue } from './row-value.tsx'
import { type RowsField, type ShownRow, useRefusal } from './use-refusal.ts'

/** Fields of a refused row that are shown with the one that is wrong. */
const othersMax = 6

/** Refused rows under each other, on a phone. */
export function RefusedBlocks({ fields, rows }: { fields: RowsField[]; rows: readonly ShownRow[] }) {
  const { t } = useTranslation('deliveries')
  const refused = rows.filter(({ refusal }) => refusal !== null)
  if (refused.length === 0) return <p className={kit.empty}>{t('rows.noneRefused')}</p>
  return (
    <ul className="list" aria-label={t('rows.refusedTitle')}>
      {refused.map((row) => (
        <RefusedBlock key={row.row} row={row} fields={fields} />
      ))}
    </ul>
  )
}

function RefusedBlock({ row, fields }: { row: ShownRow; fields: RowsField[] }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { field, value, cause, advice, meant } = useRefusal(row, fields)
  const others = fields
    .map(({ name }, at) => ({ name, other: row.values?.[at] ?? null }))
    .filter(({ name, other }) => name !== field && other !== null)
  const number = format.count(row.row)
  return (
    <li className={classes.block}>
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
      <p>
        {cause} {advice}
      </p>
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
    </li>
  )
}
