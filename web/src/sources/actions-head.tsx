import { useTranslation } from 'react-i18next'
import classes from './actions-head.module.css'

/** The head of a column of buttons: said, not shown, and within the table that is scrolled. */
export function ActionsHead() {
  const { t } = useTranslation('sources')
  return (
    <span className={classes.head}>
      <span className="unseen">{t('actions')}</span>
    </span>
  )
}
