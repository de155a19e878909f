import { Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './loading.module.css'

/** Fades in after a moment, so that a quick answer does not make the page flicker. */
export function Loading() {
  const { t } = useTranslation()
  return (
    <p role="status" className={classes.loading}>
      <Loader size="sm" aria-hidden /> {t('ui.loading')}
    </p>
  )
}
