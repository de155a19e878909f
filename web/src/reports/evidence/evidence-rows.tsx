import { useFormat } from '../../company/use-format.ts'
import { useTexts } from '../../language/language.ts'
import kit from '../../ui/display/table.module.css'
import classes from './evidence-document.module.css'
import type { DetailedDelivery, ProvenDelivery } from './evidence-query.ts'

/** The rows of a delivery that count for the figure, with what each gave. */
export function EvidenceRows({
  delivery,
  unit,
  rows,
}: {
  delivery: ProvenDelivery
  unit: string
  /** Undefined for roles that may not see them, null where they are not listed. */
  rows: DetailedDelivery['rows'] | undefined
}) {
  const t = useTexts('evidence')
  const format = useFormat()
  if (rows === undefined) return null
  if (rows === null) return <p className="small">{t('noRows')}</p>
  const { fields, listed, more } = rows
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys */}
      <section className={kit.scroll} tabIndex={0} aria-label={t('rowsOf')}>
        <table className={`${kit.table} ${classes.table} ${classes.rows}`}>
          <caption className="unseen">{t('rowsOf')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('row')}</th>
              {fields.map(({ name }) => (
                <th key={name} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
              <th scope="col" className={kit.end}>
                {t('rowGave')}
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ row, values, cells, gave }) => (
              <tr key={row}>
                <th scope="row">{format.count(row)}</th>
                {values === null ? (
                  <td colSpan={fields.length}>{t('cells', { count: cells ?? 0 })}</td>
                ) : (
                  values.map((value, index) => (
                    <td key={fields[index]!.name}>
                      {value?.masked === true ? (
                        <span className="quiet">{t('masked')}</span>
                      ) : (
                        <bdi>
                          {value?.text}
                          {value?.characters !== undefined && '…'}
                        </bdi>
                      )}
                    </td>
                  ))
                )}
                <td className={kit.end}>
                  {gave === null ? <span className="quiet">{t('masked')}</span> : format.figure(gave, unit)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more && (
        <p className="small">
          {t('moreRows', { shown: format.count(listed.length), all: format.count(delivery.rows) })}
        </p>
      )}
    </>
  )
}
