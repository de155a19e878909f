import { Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './loading.module.css'

/** Fades in late, so that what comes quickly is not preceded by a flicker. */
export const Loading = () => {
  const { t } = useTranslation()
  return (
    <p role="status" className={classes.loading}>
      <Loader size="sm" aria-hidden /> {t('page.loading')}
    </p>
  )
}
