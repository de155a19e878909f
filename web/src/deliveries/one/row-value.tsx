import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import classes from './delivery-rows.module.css'
import type { ShownRow } from './use-refusal.ts'

/** One value of a row as stored; null where it is missing. */
export function RowValue({
  value,
  isWrong = false,
}: {
  value: NonNullable<ShownRow['values']>[number]
  isWrong?: boolean
}) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  if (value === null) return <span className={isWrong ? '' : 'unseen'}>{t('rows.missing')}</span>
  if (value.masked === true) {
    return (
      <>
        <span aria-hidden="true" className={classes.masked}>
          ••••••
        </span>
        <span className="unseen">{t('rows.maskedValue')}</span>
      </>
    )
  }
  const isBroken = value.broken === true
  const { characters } = value
  return (
    <>
      <bdi className={classes.value} title={isBroken ? t('rows.brokenBytes') : undefined}>
        {value.text}
      </bdi>
      {characters !== undefined && (
        <span className="small"> {t('rows.cut', { characters: format.count(characters) })}</span>
      )}
      {isBroken && <span className="small"> {t('rows.brokenBytes')}</span>}
    </>
  )
}
